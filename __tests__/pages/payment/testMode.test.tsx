import { screen, waitFor } from '@testing-library/react';
import type { Order } from '../../../src/contract/entities';
import { openPage, signUp } from '../../support/page';
import { newTool } from '../../support/tools';

const NOTE = "Test mode: you won't be charged.";
const STRIPE = { kind: 'stripe', publishableKey: 'pk_test_1' } as const;

async function placeOrder(): Promise<Order> {
  const { _id: toolId, name: productName, minimumOrderQuantity: totalQuantity } = await newTool();
  const authorization = `Bearer ${localStorage.getItem('accessToken')}`;
  const body = JSON.stringify({ toolId, productName, totalQuantity, address: '18 Foundry Row', phone: '555 0142' });
  const headers = { 'content-type': 'application/json', authorization };
  return (await (await fetch('/order', { method: 'POST', headers, body })).json()) as Order;
}

const openPayment = ({ _id }: Order, testMode: boolean) =>
  openPage(`/dashboard/payment/${_id}`, { payments: { ...STRIPE, testMode } });

test('the payment page shows a test mode note if the server is in test mode', async () => {
  await signUp();
  const order = await placeOrder();
  await openPayment(order, true);
  expect(await screen.findByText(NOTE)).toBeVisible();
});

test('the payment page shows no test mode note if the server is not in test mode', async () => {
  await signUp();
  const order = await placeOrder();
  await openPayment(order, false);
  await screen.findByText(order.productName);
  await waitFor(() => expect(screen.getByRole('button', { name: 'PAY' })).toBeInTheDocument());
  expect(screen.queryByText(/Test mode/)).toBeNull();
});
