import { screen, within } from '@testing-library/react';
import type { Order } from '../../../src/contract/entities';
import { openPage, signUp, user } from '../../support/page';
import { newTool } from '../../support/tools';

const clickLink = async (name: string) => user.click(await screen.findByRole('link', { name }));
/** Searches for the tool, because only the first hundred tools are shown without scrolling. */
async function cardOf(name: string) {
  await user.type(await screen.findByRole('searchbox', { name: 'Find a tool' }), name);
  return within((await screen.findByText(name, { selector: 'h3 a' })).closest<HTMLElement>('li')!);
}

// Clause C.7.3
test('after an order is deleted, the home page shows its pieces in stock again', async () => {
  await signUp();
  const tool = await newTool();
  const { _id: toolId, name: productName, availableQuantity } = tool;
  const headers = {
    'content-type': 'application/json',
    authorization: `Bearer ${localStorage.getItem('accessToken')}`,
  };
  const body = JSON.stringify({ toolId, productName, totalQuantity: 20, address: '18 Foundry Row', phone: '555 0142' });
  const order = (await (await fetch('/order', { method: 'POST', headers, body })).json()) as Order;

  await openPage('/');
  expect(await (await cardOf(productName)).findByText(`Available: ${availableQuantity - 20} piece`)).toBeVisible();
  await clickLink('Dashboard');
  await clickLink('My Order');
  const pay = await screen.findByRole('link', { name: 'Pay' });
  expect(pay).toHaveAttribute('href', `/dashboard/payment/${order._id}`);
  await user.click(pay);
  await user.click(await screen.findByRole('button', { name: 'Delete this order' }));
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }));
  await screen.findByText('No orders yet');
  await clickLink('Home');
  expect(await (await cardOf(productName)).findByText(`Available: ${availableQuantity} piece`)).toBeVisible();
});
