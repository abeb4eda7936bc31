import { recordReturned } from '../../../server/payments/recordReturned';
import { NO_DISCREPANCIES } from '../../support/orders';
import { failRefunds, openRefundTestKit, type RefundTestKit } from './refundTestKit';

let kit: RefundTestKit;
beforeAll(async () => {
  kit = await openRefundTestKit();
});
afterAll(() => kit.close());

it('a payment that the operator paid back after its refund failed is neither refunded nor shipped', async () => {
  const { id, intentId, tool } = await kit.createPaidOrder();
  expect(await recordReturned(kit.deps.db, intentId)).toBe(false);
  failRefunds(kit, { status: 400 }, 1);
  await kit.requestRefund(id, { reason: 'not needed', restock: true });
  expect(await recordReturned(kit.deps.db, intentId)).toEqual({ restockedTool: tool.id });
  expect(await recordReturned(kit.deps.db, intentId)).toBe(false);
  const order = await kit.readOrder(id);
  expect([order.status, order.refundFailed]).toEqual(['refunded', undefined]);
  expect((await kit.requestRefund(id)).body.code).toBe('order_refunded');
  expect((await kit.ship(id)).body.code).toBe('order_not_paid');
  await kit.sweep();
  expect([await kit.listRefunds(intentId), await kit.countMails('refunded', id)]).toEqual([[], 0]);
  expect(await kit.auditStock()).toEqual(NO_DISCREPANCIES);
});
