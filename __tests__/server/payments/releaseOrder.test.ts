import { eq, sql } from 'drizzle-orm';
import { adminActs, orders } from '../../../server/db/schema';
import { openPaymentTestKit, type PaymentTestKit } from '../../support/payments';
import type { Customer } from '../../support/customers';

let testKit: PaymentTestKit;
beforeAll(async () => {
  testKit = await openPaymentTestKit();
});
afterAll(async () => {
  expect(await testKit.countWrongStocks()).toBe(0);
  await testKit.close();
});

async function placeUnpaidOrder(totalQuantity = 10) {
  const [ann, tool] = [await testKit.createCustomer(), await testKit.createTool()];
  const { body } = await testKit.placeOrder(ann, { productName: tool.name, totalQuantity });
  return { ann, tool, id: body._id, total: totalQuantity * 7 };
}

const deleteOrder = async (caller: Customer | null, id: string) => {
  const { status, body } = await testKit.call(caller, 'DELETE', `/order/${id}`);
  return [status, body?.code];
};
const isPaid = async (caller: Customer, id: string) => (await testKit.call(caller, 'GET', `/order/${id}`)).body.paid;

// Clauses A.4.7, A.7.10, C.3.7, C.7.3
it('deleting an unpaid order releases its stock, and deleting it again answers 404', async () => {
  const { ann, tool, id } = await placeUnpaidOrder();
  expect(await deleteOrder(ann, id)).toEqual([204, undefined]);
  expect(await testKit.readAvailable(tool.id)).toBe(100);
  expect(await deleteOrder(ann, id)).toEqual([404, 'not_found']);
  expect((await testKit.call(ann, 'GET', `/order/${id}`)).status).toBe(404);
  expect((await testKit.call<unknown[]>(ann, 'GET', `/order?email=${ann.email}`)).body).toEqual([]);
});

it('an unpriced order can be deleted', async () => {
  const { ann, tool, id } = await placeUnpaidOrder(101);
  expect(await deleteOrder(ann, id)).toEqual([204, undefined]);
  expect(await testKit.readAvailable(tool.id)).toBe(100);
});

// Clauses C.2.10, C.7.1
it('customers can delete only their own orders, but admins can delete any unpaid order', async () => {
  const { ann, id } = await placeUnpaidOrder();
  const [bob, admin] = [await testKit.createCustomer(), await testKit.createCustomer('admin')];
  expect(await deleteOrder(bob, id)).toEqual([404, 'not_found']);
  expect(await deleteOrder(null, id)).toEqual([401, 'auth_required']);
  for (const unknown of ['x', '1', '00000000-0000-4000-8000-000000000000', "' or 1=1 --"])
    expect(await deleteOrder(ann, encodeURIComponent(unknown))).toEqual([404, 'not_found']);
  expect(await deleteOrder(admin, id)).toEqual([204, undefined]);
  const acts = await testKit.deps.db.select().from(adminActs).where(eq(adminActs.subject, id));
  expect(acts).toMatchObject([{ actorId: admin.id, act: 'delete order' }]);
});

it('an order that is deleted twenty times simultaneously releases its stock once', async () => {
  const { ann, tool, id } = await placeUnpaidOrder();
  const responses = await Promise.all(Array.from({ length: 20 }, () => deleteOrder(ann, id)));
  expect(responses.map(([status]) => status).sort()).toEqual([204, ...Array<number>(19).fill(404)]);
  expect(await testKit.readAvailable(tool.id)).toBe(100);
});

// Clauses C.4.4, C.7.1, C.7.4
it('a paid order cannot be deleted', async () => {
  const { ann, tool, id, total } = await placeUnpaidOrder();
  await testKit.pay(ann, id, total);
  expect(await deleteOrder(ann, id)).toEqual([409, 'order_paid']);
  const refused = await testKit.call(await testKit.createCustomer('admin'), 'DELETE', `/order/${id}`);
  expect([refused.status, refused.body.code, refused.body.detail]).toEqual([
    ...[409, 'order_paid', 'This order is already paid.'],
  ]);
  expect([await isPaid(ann, id), await testKit.readAvailable(tool.id)]).toEqual([true, 90]);
});

it('a refunded order cannot be deleted', async () => {
  const { ann, id } = await placeUnpaidOrder();
  await testKit.deps.db.execute(
    sql`update orders set state = 'refunded', refunded_at = now(), hold_until = null where id = ${id}`,
  );
  const { status, body } = await testKit.call(ann, 'DELETE', `/order/${id}`);
  expect([status, body.code, body.detail]).toEqual([409, 'order_refunded', 'This order was already refunded.']);
});

// Clause C.7.3
it('deleting an order cancels its intent, so that nobody can pay it', async () => {
  const { ann, id, total } = await placeUnpaidOrder();
  const { intentId, body } = await testKit.createIntent(ann, id, total);
  expect(await deleteOrder(ann, id)).toEqual([204, undefined]);
  expect((await testKit.deps.provider.findIntent(intentId))?.status).toBe('canceled');
  expect((await testKit.confirm(body.clientSecret)).status).not.toBe('succeeded');
});

it('an order whose payment is recorded just before its deletion stays paid', async () => {
  const { ann, tool, id, total } = await placeUnpaidOrder();
  testKit.runBefore('delete order', () => testKit.pay(ann, id, total));
  expect(await deleteOrder(ann, id)).toEqual([409, 'order_paid']);
  expect([await isPaid(ann, id), await testKit.readAvailable(tool.id), testKit.haveAllCheckpointsRun()]).toEqual([
    true,
    90,
    true,
  ]);
});

it('a deletion whose claim on the order has expired does not delete the order if it has just been paid', async () => {
  const { ann, tool, id, total } = await placeUnpaidOrder();
  await testKit.createIntent(ann, id, total);
  let payment: Awaited<ReturnType<PaymentTestKit['pay']>> | undefined;
  testKit.runBefore('finish delete', async () => {
    await testKit.deps.db.execute(sql`update orders set deleting_until = now() - interval '1 second' where id = ${id}`);
    payment = await testKit.pay(ann, id, total);
  });
  expect(await deleteOrder(ann, id)).toEqual([409, 'order_paid']);
  expect([payment?.status, await isPaid(ann, id), await testKit.readAvailable(tool.id)]).toEqual([200, true, 90]);
});

it('deleting an order that is already being deleted answers only after that has ended', async () => {
  const { ann, id, total } = await placeUnpaidOrder();
  await testKit.createIntent(ann, id, total);
  let second: Promise<unknown> | undefined;
  let isAnswered = false;
  testKit.runBefore('finish delete', async () => {
    const secondTry = new Promise<void>((resolve) =>
      testKit.runBefore('delete order', async () => testKit.runBefore('delete order', async () => resolve())),
    );
    second = deleteOrder(ann, id).finally(() => (isAnswered = true));
    await secondTry;
    expect(isAnswered).toBe(false);
  });
  expect(await deleteOrder(ann, id)).toEqual([204, undefined]);
  expect(await second).toEqual([404, 'not_found']);
});

it.each([
  ['releases its own claim', null],
  ['leaves the claim of another server', new Date(Date.now() + 120_000)],
])('a deletion that fails %s', async (_outcome, otherClaim) => {
  const { ann, id, total } = await placeUnpaidOrder();
  await testKit.createIntent(ann, id, total);
  testKit.runBefore('finish delete', async () => {
    if (otherClaim) await testKit.deps.db.update(orders).set({ claimedUntil: otherClaim }).where(eq(orders.id, id));
    throw new Error('a simulated failure');
  });
  expect(await deleteOrder(ann, id)).toEqual([500, 'internal']);
  const [row] = await testKit.deps.db.select().from(orders).where(eq(orders.id, id));
  expect(row?.claimedUntil).toEqual(otherClaim);
});

it('a deletion whose claim on the order has expired also cancels an intent that was created after the expiry', async () => {
  const { ann, tool, id, total } = await placeUnpaidOrder();
  await testKit.createIntent(ann, id, total);
  let secondIntent = '';
  testKit.runBefore('finish delete', async () => {
    await testKit.deps.db.execute(sql`update orders set deleting_until = now() - interval '1 second' where id = ${id}`);
    secondIntent = (await testKit.createIntent(ann, id, total)).intentId;
  });
  expect(await deleteOrder(ann, id)).toEqual([204, undefined]);
  expect((await testKit.deps.provider.findIntent(secondIntent))?.status).toBe('canceled');
  expect(await testKit.readAvailable(tool.id)).toBe(100);
});
