import { randomUUID } from 'node:crypto';
import { findOrderOfIntent, readOrderHistory } from '../../../server/doctor/orderHistory';
import { openRefundTestKit, type RefundTestKit } from './refundTestKit';

let kit: RefundTestKit;
beforeAll(async () => {
  kit = await openRefundTestKit();
});
afterAll(() => kit.close());

/** Sorted, because events of one transaction have the same time. */
const textsOf = async (id: string) => (await readOrderHistory(kit.deps.db, id))?.map(({ text }) => text).sort();

it('the history of a refunded order lists everything that happened to it and its payment, oldest first', async () => {
  const { id, intentId } = await kit.createPaidOrder();
  await kit.ship(id);
  await kit.requestRefund(id);
  const admin = `admin ${kit.asAdmin().id}`;
  expect(await textsOf(id)).toEqual([
    'email "order received" is not sent',
    'email "payment received" is queued',
    'email "refunded" is queued',
    'email "shipped" is queued',
    'order placed: 2 pieces at $7',
    `payment attempt 1, now succeeded: ${intentId}`,
    `payment recorded: $14.00, ${intentId}, paid`,
    'refund is succeeded',
    `refund order by ${admin}`,
    'refund recorded',
    `refund requested by ${admin}: $14.00`,
    `ship order by ${admin}`,
    'shipped',
  ]);
  const times = (await readOrderHistory(kit.deps.db, id))!.map(({ at }) => at.getTime());
  expect(times).toEqual([...times].sort((a, b) => a - b));
  expect(await findOrderOfIntent(kit.deps.db, intentId)).toBe(id);
});

it('the history of an order without a price lists the price that an admin offers, and that the customer deletes it', async () => {
  const customer = await kit.createCustomer();
  const tool = await kit.createTool({ minimumOrderQuantity: 61 });
  const { body } = await kit.placeOrder(customer, { productName: tool.name, totalQuantity: 60 });
  expect(await textsOf(body._id)).toContain('order placed: 60 pieces at no price');
  expect((await kit.call(kit.asAdmin(), 'PUT', `/order/${body._id}/price`, { price: 9 })).status).toBe(200);
  expect(await textsOf(body._id)).toEqual(
    expect.arrayContaining(['price set or accepted: $9', 'hold of the stock ends', 'email "price offered" is queued']),
  );
  expect((await kit.call(customer, 'DELETE', `/order/${body._id}`)).status).toBe(204);
  expect(await textsOf(body._id)).toContain('order deleted');
});

it('there is no history of an unknown order, and no order of an unknown intent', async () => {
  expect(await textsOf(randomUUID())).toBeUndefined();
  expect(await findOrderOfIntent(kit.deps.db, 'pi_unknown')).toBeUndefined();
});
