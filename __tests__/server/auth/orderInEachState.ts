import type { Customer } from '../../support/customers';
import type { PaymentTestKit } from '../../support/payments';

/** Places an unpaid order, one that is being paid, an unpriced one and a paid one. */
export async function placeOrderInEachState(kit: PaymentTestKit, customer: Customer) {
  const [unpaid, paying, paid] = [
    await kit.createUnpaidOrder({ customer }),
    await kit.createUnpaidOrder({ customer }),
    await kit.createChargedOrder({ customer }),
  ];
  const secret = (await kit.createIntent(customer, paying.order._id, paying.total)).body.clientSecret;
  expect((await kit.patchOrder(customer, paid.order._id, paid.intentId)).status).toBe(200);
  const { body: unpriced } = await kit.placeOrder(customer, { productName: paid.tool.name, totalQuantity: 1_000 });
  const { intentId } = await kit.confirm(secret, 'no card');
  return { unpaid, paying, paid, unpriced, intentId };
}
type OrdersInEachState = Awaited<ReturnType<typeof placeOrderInEachState>>;

/** @returns the states of the unpaid order, the one that is being paid, the unpriced one and the paid one */
export const statesOf = (kit: PaymentTestKit, { unpaid, paying, paid, unpriced }: OrdersInEachState) =>
  Promise.all([unpaid.order._id, paying.order._id, unpriced._id, paid.order._id].map(kit.stateOf));
export const stockOf = (kit: PaymentTestKit, { unpaid, paying, paid }: OrdersInEachState) =>
  Promise.all([unpaid.tool.id, paying.tool.id, paid.tool.id].map(kit.readAvailable));
export const listOrders = async (kit: PaymentTestKit, customer: Customer) =>
  (await kit.call<{ _id: string }[]>(customer, 'GET', `/order?email=${encodeURIComponent(customer.email)}`)).body;
