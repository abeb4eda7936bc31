import { endExpiredHolds } from '../../../server/payments/endHolds';
import { openOrderTestKit, type OrderTestKit, sound } from '../../support/orders';

const HOUR_MS = 3_600_000;
let hours = 0;
let desk: OrderTestKit;
beforeAll(async () => {
  const now = () => new Date(Date.now() + hours * HOUR_MS);
  desk = await openOrderTestKit({ now, env: { HOLD_HOURS: '5', MAX_UNPAID_ORDERS: '3' } });
});
afterAll(async () => {
  expect(await desk.audit()).toEqual(sound);
  await desk.close();
});

// Clauses C.6.5, C.6.17
it('of MAX_UNPAID_ORDERS orders each has a price and its stock for HOLD_HOURS; the next has none', async () => {
  const [ann, tool] = [await desk.customer(), await desk.tool()];
  const prices = [];
  for (let n = 0; n < 4; n++)
    prices.push((await desk.order(ann, { productName: tool.name, totalQuantity: 1 })).body.price);
  expect(prices).toEqual([7, 7, 7, null]);
  for (const [later, left] of [
    [4.99, 97],
    [5.01, 100],
  ]) {
    hours = later!;
    await endExpiredHolds(desk.deps);
    expect(await desk.available(tool.id)).toBe(left);
  }
});
