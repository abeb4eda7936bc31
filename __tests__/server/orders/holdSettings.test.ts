import { endExpiredHolds } from '../../../server/holds/endHolds';
import { openOrderTestKit, type OrderTestKit, NO_DISCREPANCIES } from '../../support/orders';

const HOUR_MS = 3_600_000;
let clockOffsetHours = 0;
let testKit: OrderTestKit;
beforeAll(async () => {
  const now = () => new Date(Date.now() + clockOffsetHours * HOUR_MS);
  testKit = await openOrderTestKit({ now, env: { HOLD_HOURS: '5', MAX_UNPAID_ORDERS: '3' } });
});
afterAll(async () => {
  expect(await testKit.auditStock()).toEqual(NO_DISCREPANCIES);
  await testKit.close();
});

// Clauses C.6.5, C.6.17
it('MAX_UNPAID_ORDERS limits the number of unpaid orders with a price, and HOLD_HOURS limits how long their stock is reserved', async () => {
  const [ann, tool] = [await testKit.createCustomer(), await testKit.createTool()];
  const statuses = [];
  for (let n = 0; n < 4; n++)
    statuses.push((await testKit.placeOrder(ann, { productName: tool.name, totalQuantity: 1 })).status);
  expect(statuses).toEqual([201, 201, 201, 409]);
  for (const [hoursLater, available] of [
    [4.99, 97],
    [5.01, 100],
  ]) {
    clockOffsetHours = hoursLater!;
    await endExpiredHolds(testKit.deps);
    expect(await testKit.readAvailable(tool.id)).toBe(available);
  }
});
