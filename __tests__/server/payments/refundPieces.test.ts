import { eq, sql } from 'drizzle-orm';
import type { Order } from '../../../src/contract/entities';
import { CARDS } from '../../support/cards';
import { refunds } from '../../../server/db/schema';
import { refundMetadataFor } from '../../../server/payments/provider';
import { recordMissedRefunds } from '../../../server/payments/checkRefunds';
import { recordReturned } from '../../../server/payments/recordReturned';
import { recordTimers } from '../../support/timers';
import { endFaults, failRefunds, openRefundTestKit, type RefundTestKit } from './refundTestKit';

let kit: RefundTestKit;
beforeAll(async () => {
  kit = await openRefundTestKit();
});
afterEach(async () => {
  await endFaults(kit);
  expect([await kit.readFindings(), await kit.countWrongStocks()]).toEqual([[], 0]);
});
afterAll(() => kit.close());

const createOrder = (options = {}) => kit.createPaidOrder({ quantity: 10, price: 17, stock: 100, ...options });
const draft = (pieces: number | undefined, restock: number | boolean) => ({ reason: 'broken', restock, pieces });
const refundAtProvider = (intentId: string, amount: number) =>
  kit.stripe.refunds.create({ payment_intent: intentId, amount });
const amountsOf = async (intentId: string) => (await kit.listRefunds(intentId)).map(({ amount }) => amount);
const piecesOf = ({ refunds = [] }: Order) => refunds.map(({ pieces, cents }) => [pieces, cents]);

describe('A refund of some pieces', () => {
  // Clause C.8.15
  it('returns their price and pieces to the stock, and can be followed by others until nothing is left', async () => {
    const { id, intentId, tool, customer } = await createOrder();
    const { body } = await kit.requestRefund(id, draft(2, 1));
    expect(body).toMatchObject({ status: 'paid', paid: true, refundedPieces: 2, refundedCents: 3400 });
    expect([await kit.readAvailable(tool.id), await amountsOf(intentId)]).toEqual([91, [3400]]);
    expect((await kit.ship(id)).status).toBe(201);
    expect((await kit.requestRefund(id, draft(2, false))).body.status).toBe('shipped');
    const last = (await kit.requestRefund(id, draft(undefined, true))).body;
    expect(last).toMatchObject({ status: 'refunded', paid: false, refundedPieces: 10, refundedCents: 17_000 });
    expect(piecesOf(last)).toEqual([
      [2, 3400],
      [2, 3400],
      [6, 10_200],
    ]);
    expect([await kit.readAvailable(tool.id), await kit.countMails('refunded', id)]).toEqual([97, 3]);
    const { body: own } = await kit.call<Order[]>(customer, 'GET', `/order?email=${customer.email}`);
    expect(own[0]).toMatchObject({ refundedPieces: 10, refundedCents: 17_000 });
    expect(own[0]!.refunds![0]).toEqual({
      at: expect.any(String) as string,
      pieces: 2,
      cents: 3400,
      number: 'C-000001',
    });
  });

  it('is refused if it is about more pieces than are left, or if more return to the stock than are refunded', async () => {
    const { id, intentId } = await createOrder();
    await kit.requestRefund(id, draft(4, 0));
    for (const wrong of [draft(7, 0), draft(0, 0), draft(1.5, 0), draft(2, 3), draft(undefined, 7), draft(1, -1)])
      expect([wrong, (await kit.requestRefund(id, wrong)).status]).toEqual([wrong, 422]);
    expect(await amountsOf(intentId)).toEqual([6800]);
  });

  // Clause C.8.17
  it('takes the rest to the cent if part of the money was refunded at the provider', async () => {
    const { id, intentId } = await createOrder();
    await refundAtProvider(intentId, 15_350);
    await kit.sendEvent(intentId, 'refund.created');
    expect(await kit.readOrder(id)).toMatchObject({ refundedPieces: 0, refundedCents: 15_350 });
    expect((await kit.requestRefund(id, draft(2, 0))).status).toBe(422);
    const { body } = await kit.requestRefund(id, draft(1, 1));
    expect([body.status, piecesOf(body), await kit.countMails('refunded', id)]).toEqual([
      'refunded',
      [
        [null, 15_350],
        [1, 1650],
      ],
      2,
    ]);
  });

  it('takes what is left if less is left than the shop knows', async () => {
    const { id, intentId } = await createOrder();
    await refundAtProvider(intentId, 16_000);
    expect((await kit.requestRefund(id, draft(3, 2))).body).toMatchObject({ refundRequested: true });
    await kit.sweep();
    expect(await amountsOf(intentId)).toEqual([1000, 16_000]);
    expect(await kit.readOrder(id)).toMatchObject({ status: 'refunded', refundedPieces: 3, refundedCents: 17_000 });
  });

  it('waits for the refund before it', async () => {
    const { id, intentId } = await createOrder({ card: CARDS.refundPending });
    expect((await kit.requestRefund(id, draft(2, 2))).body).toMatchObject({
      refundRequested: true,
      refundingCents: 3400,
    });
    const { status, body } = await kit.requestRefund(id, draft(1, 1));
    expect([status, body.code, (await kit.ship(id)).body.code]).toEqual([409, 'refund_in_progress', 'order_not_paid']);
    await kit.waitForRefund(intentId, 'succeeded');
    await kit.sweep();
    expect(await kit.readOrder(id)).toMatchObject({ status: 'paid', refundedPieces: 2 });
  });

  it('can fail later and be made again, which returns its pieces to the stock once', async () => {
    const { id, intentId, tool } = await createOrder();
    await kit.requestRefund(id, draft(2, 2));
    await kit.queryRows(sql`update embedded_stripe.refunds set status = 'failed' where intent_id = ${intentId}`);
    await kit.sweep();
    expect(await kit.readOrder(id)).toMatchObject({ status: 'paid', refundFailed: true, refundedPieces: 0 });
    const [finding] = await kit.runAudit();
    expect(finding!.detail).toContain('Try it again, or pay back all that is left, $170.00, in another way');
    const { body } = await kit.requestRefund(id, draft(undefined, true));
    expect([body.status, body.refundFailed, body.refundedCents]).toEqual(['refunded', undefined, 17_000]);
    expect(await kit.readAvailable(tool.id)).toBe(100);
  });
});

describe('A refund of some pieces that fails after it succeeded', () => {
  it('stays failed whatever was refunded at the provider meanwhile, until the same amount is', async () => {
    const { id, intentId } = await createOrder();
    await kit.requestRefund(id, draft(2, false));
    await failAtProvider(intentId);
    await refundAtProvider(intentId, 500);
    await kit.sweep();
    const order = { status: 'paid', refundedCents: 500, refundFailed: true };
    expect(await kit.readOrder(id)).toMatchObject(order);
    await refundAtProvider(intentId, 700);
    await kit.sweep();
    expect(await kit.readOrder(id)).toMatchObject({ ...order, refundedCents: 1200 });
    await refundAtProvider(intentId, 3400);
    await kit.sweep();
    expect((await kit.readOrder(id)).refundFailed).toBeUndefined();
  });

  it('has not failed if the same sweep finds that the same amount was refunded at the provider', async () => {
    const { id, intentId } = await createOrder();
    await kit.requestRefund(id, draft(2, false));
    await failAtProvider(intentId);
    await refundAtProvider(intentId, 3400);
    await kit.sweep();
    expect((await kit.readOrder(id)).refundFailed).toBeUndefined();
  });

  it('stays failed although a refund succeeds that was requested before it failed', async () => {
    const { id, intentId } = await createOrder({ card: CARDS.refundPending });
    await kit.requestRefund(id, draft(2, false));
    await kit.waitForRefund(intentId, 'succeeded');
    await kit.sweep();
    await kit.requestRefund(id, draft(3, false));
    await failAtProvider(intentId, 3400);
    await recordMissedRefunds(kit.deps);
    await kit.waitForRefund(intentId, 'succeeded');
    await kit.sweep();
    expect(await kit.readOrder(id)).toMatchObject({ refundedCents: 5100, refundFailed: true });
    await refundAtProvider(intentId, 3400);
    await kit.waitForRefund(intentId, 'succeeded');
    await kit.sweep();
    expect((await kit.readOrder(id)).refundFailed).toBeUndefined();
  });
});

const failAtProvider = (intentId: string, amount = 0) =>
  kit.queryRows(sql`
    update embedded_stripe.refunds set status = 'failed' where intent_id = ${intentId} and ${amount}::int in (0, amount)`);

describe('Money that the operator paid back after a refund failed', () => {
  it('has one credit note over all that was left, which the order shows', async () => {
    const { id, intentId, tool } = await createOrder();
    await kit.requestRefund(id, draft(2, 2));
    failRefunds(kit, { status: 400 });
    await kit.requestRefund(id, draft(3, 3));
    expect(await recordReturned(kit.deps.db, intentId)).toEqual({ restockedTool: tool.id });
    const order = await kit.readOrder(id);
    expect(order).toMatchObject({ status: 'refunded', refundedCents: 17_000 });
    expect(piecesOf(order)).toEqual([
      [2, 3400],
      [null, 13_600],
    ]);
    expect(order.refunds!.map(({ number }) => number)).toEqual(Array(2).fill(expect.stringMatching(/^C-/)));
    expect(await kit.readAvailable(tool.id)).toBe(95);
  });

  it('returns no pieces to the stock that returned with a second try, which failed later', async () => {
    const { id, intentId, tool } = await createOrder();
    failRefunds(kit, { status: 400 }, 1);
    await kit.requestRefund(id, draft(undefined, true));
    await kit.requestRefund(id, draft(undefined, true));
    expect(await kit.readAvailable(tool.id)).toBe(100);
    await failAtProvider(intentId);
    await kit.sweep();
    expect(await recordReturned(kit.deps.db, intentId)).toEqual({ restockedTool: undefined });
    expect([await kit.readAvailable(tool.id), piecesOf(await kit.readOrder(id))]).toEqual([100, [[10, 17_000]]]);
  });

  it('has one credit note over all that was left, also if each failed refund had succeeded before', async () => {
    const { id, intentId } = await createOrder();
    for (let n = 0; n < 2; n++) {
      await kit.requestRefund(id, draft(2, false));
      await failAtProvider(intentId);
      await kit.sweep();
    }
    expect(await recordReturned(kit.deps.db, intentId)).toBeTruthy();
    const order = await kit.readOrder(id);
    expect([order.status, order.refundedCents, piecesOf(order)]).toEqual(['refunded', 17_000, [[null, 17_000]]]);
    expect(order.refunds![0]!.number).toMatch(/^C-/);
  });
});

describe('A refund of some pieces is made once', () => {
  const withKey = (id: string, key: string, body: object) =>
    kit.requestRefund(id, body, kit.asAdmin(), { 'idempotency-key': key });

  // Clause C.8.16
  it('for each idempotency key', async () => {
    const { id, intentId } = await createOrder();
    for (let n = 0; n < 2; n++) expect((await withKey(id, 'first', draft(2, 2))).body.refundedPieces).toBe(2);
    expect((await withKey(id, 'first', draft(3, 2))).body.code).toBe('idempotency_key_reused');
    expect((await withKey(id, 'second', draft(2, 2))).body.refundedPieces).toBe(4);
    expect(await amountsOf(intentId)).toEqual([3400, 3400]);
  });

  it('if its response is lost and it is repeated ten minutes later', async () => {
    const { id, intentId, tool } = await createOrder();
    failRefunds(kit, { drop: true });
    expect((await kit.requestRefund(id, draft(2, 1))).body.refundRequested).toBe(true);
    kit.control.offsetMs += 600_000;
    await endFaults(kit);
    await kit.sweep();
    expect([await amountsOf(intentId), await kit.readAvailable(tool.id)]).toEqual([[3400], 91]);
  });

  it('if the server that sends it is suspended until another server has sent it with a new key', async () => {
    const { id, intentId } = await createOrder();
    kit.runBefore('send refund', async () => {
      kit.control.offsetMs += 600_000;
      failRefunds(kit, { status: 500 });
      await kit.sweep();
      await endFaults(kit);
      await kit.sweep();
      expect(await amountsOf(intentId)).toEqual([3400]);
    });
    await kit.requestRefund(id, draft(2, 2));
    expect([await amountsOf(intentId), (await kit.readOrder(id)).refundedPieces]).toEqual([[3400], 2]);
  });

  it('if two admins ask for it at the same time', async () => {
    const { id, intentId } = await createOrder();
    const answers = await Promise.all([kit.requestRefund(id, draft(6, 6)), kit.requestRefund(id, draft(6, 6))]);
    expect(answers.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1);
    expect(await amountsOf(intentId)).toEqual([10_200]);
  });
});

describe('The previous version of the server', () => {
  it('can request and record a refund, which this version continues', async () => {
    const { id, intentId, tool } = await createOrder();
    const request = () =>
      kit.queryRows(sql`
        insert into refunds (intent_id, order_id, amount_cents, currency, reason, restock)
        values (${intentId}, ${id}, 17000, 'usd', 'old', true)
        on conflict (intent_id) do update set state = 'requested', tries = refunds.tries + 1`);
    for (let n = 0; n < 2; n++) await request();
    await kit.sweep();
    const order = await kit.readOrder(id);
    expect([order.status, piecesOf(order), await kit.readAvailable(tool.id)]).toEqual([
      'refunded',
      [[10, 17_000]],
      100,
    ]);
  });

  it('finds only the first refund of a payment under the column that it knows', async () => {
    const { id, intentId } = await createOrder();
    for (let n = 0; n < 2; n++) await kit.requestRefund(id, draft(1, 0));
    expect(await kit.queryRows(sql`select pieces from refunds where intent_id = ${intentId}`)).toEqual([{ pieces: 1 }]);
  });
});

// The call goes on after the test, so this is the last one.
describe('A refund of some pieces whose call is late is made once', () => {
  it('if the call of a try that nobody answered arrives after ten minutes and after a later try', async () => {
    const { id, intentId } = await createOrder();
    const deadlines = recordTimers(12_000);
    const isDelayed = new Promise<void>((resolve) => failRefunds(kit, { delayMs: 3_600_000 }, 1, resolve));
    const request = kit.requestRefund(id, draft(2, 2));
    await isDelayed.then(deadlines.end);
    jest.restoreAllMocks();
    expect((await request).body.refundRequested).toBe(true);
    const [refund] = await kit.deps.db.select().from(refunds).where(eq(refunds.orderId, id));
    kit.control.offsetMs += 600_000;
    await kit.sweep();
    expect(await amountsOf(intentId)).toEqual([3400]);
    await kit.deps.provider.createRefund({
      ...{ intentId, amountCents: 3400, metadata: refundMetadataFor(kit.deps.shopId, refund!) },
      idempotencyKey: `refund-${refund!.id}-${refund!.tries}`,
    });
    expect(await amountsOf(intentId)).toEqual([3400]);
  });
});
