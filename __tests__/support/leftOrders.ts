import type { Customer } from './customers';
import type { PaymentTestKit } from './payments';

/** What a stranger leaves under an address: an unpaid order, one being paid, an unpriced one and a paid one. */
export async function leaveOrders(desk: PaymentTestKit, who: Customer) {
  const [unpaid, paying, paid] = [await desk.unpaid({ who }), await desk.unpaid({ who }), await desk.charged({ who })];
  const secret = (await desk.ask(who, paying.order._id, paying.total)).body.clientSecret;
  expect((await desk.patch(who, paid.order._id, paid.intentId)).status).toBe(200);
  const { body: unpriced } = await desk.order(who, { productName: paid.tool.name, totalQuantity: 1_000 });
  const intent = (await desk.confirm(secret, 'no card')).intentId;
  return { unpaid, paying, paid, unpriced, intent };
}
type LeftOrders = Awaited<ReturnType<typeof leaveOrders>>;

export const statesOf = (desk: PaymentTestKit, { unpaid, paying, paid, unpriced }: LeftOrders) =>
  Promise.all([unpaid.order._id, paying.order._id, unpriced._id, paid.order._id].map(desk.stateOf));
export const stockOf = (desk: PaymentTestKit, { unpaid, paying, paid }: LeftOrders) =>
  Promise.all([unpaid.tool.id, paying.tool.id, paid.tool.id].map(desk.available));
export const ordersOf = async (desk: PaymentTestKit, who: Customer) =>
  (await desk.call<{ _id: string }[]>(who, 'GET', `/order?email=${encodeURIComponent(who.email)}`)).body;
