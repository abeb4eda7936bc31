import { sql } from 'drizzle-orm';
import { checkOpenRefunds, listKnownRefunds } from '../../../server/payments/checkRefunds';
import { PaymentProviderDown } from '../../../server/payments/provider';
import { CARDS } from '../../support/cards';
import { collectLog } from '../../support/shop';
import { endFaults, failRefunds, openRefundTestKit, type RefundTestKit } from './refundTestKit';

const log = collectLog();
let kit: RefundTestKit;
beforeAll(async () => {
  kit = await openRefundTestKit({ logger: log.logger });
});
afterAll(() => kit.close());

/** Requests refunds that the provider does not make yet, and advances the clock until the sweep sends them again. */
async function requestTwoRefunds() {
  const paidOrders = [await kit.createPaidOrder(), await kit.createPaidOrder()];
  failRefunds(kit, { status: 500 });
  for (const { id } of paidOrders) await kit.requestRefund(id);
  await endFaults(kit);
  kit.control.offsetMs += 61_000;
  return paidOrders;
}

const statesOf = (orders: { id: string }[]) =>
  Promise.all(orders.map(async ({ id }) => (await kit.readOrder(id)).status));
const withRefunds = (createRefund: RefundTestKit['provider']['createRefund']) => ({
  ...kit.deps,
  provider: { ...kit.provider, createRefund },
});

describe('The check of requested refunds', () => {
  it('sends a single request to a provider that is down', async () => {
    const paidOrders = await requestTwoRefunds();
    const createRefund = jest.fn(() => Promise.reject(new PaymentProviderDown()));
    await expect(checkOpenRefunds(withRefunds(createRefund))).rejects.toThrow(PaymentProviderDown);
    expect(createRefund).toHaveBeenCalledTimes(1);
    await kit.sweep();
    expect(await statesOf(paidOrders)).toEqual(['refunded', 'refunded']);
  });

  it('still makes all other refunds if one cannot be made, and logs which one failed and why', async () => {
    const paidOrders = await requestTwoRefunds();
    const createRefund = jest.fn(kit.provider.createRefund);
    createRefund.mockRejectedValueOnce(new Error('a simulated failure'));
    await checkOpenRefunds(withRefunds(createRefund));
    expect((await statesOf(paidOrders)).sort()).toEqual(['paid', 'refunded']);
    const { err, intentId } = log.linesOf('could not check refund').at(-1)!;
    expect([err, paidOrders.map((paidOrder) => paidOrder.intentId)]).toEqual([
      expect.objectContaining({ message: 'a simulated failure' }),
      expect.arrayContaining([intentId]),
    ]);
    await kit.sweep();
    expect(await statesOf(paidOrders)).toEqual(['refunded', 'refunded']);
  });
});

it('a refund that the provider refuses is logged with the code of its error', async () => {
  const { id, intentId } = await kit.createPaidOrder();
  failRefunds(kit, { status: 400 }, 1);
  await kit.requestRefund(id);
  expect(log.linesOf('refund refused')).toMatchObject([{ level: 50, intentId, code: expect.any(String) as string }]);
});

it('a refund that fails after it succeeded is logged once as an error', async () => {
  const { id, intentId } = await kit.createPaidOrder({ card: CARDS.refundFails });
  await kit.requestRefund(id);
  expect(log.linesOf('refund failed')).toEqual([]);
  await kit.waitForRefund(intentId, 'failed');
  for (let n = 0; n < 2; n++) expect(await kit.sendEvent(intentId, 'refund.failed')).toBe(200);
  const failureReason = 'expired_or_canceled_card';
  expect(log.linesOf('refund failed')).toMatchObject([{ level: 50, intentId, failureReason }]);
});

/** Adds refunds of one cent at the provider, each a minute older than the one before. */
const addRefunds = (intentId: string, count: number) =>
  kit.queryRows(sql`
    insert into embedded_stripe.refunds (id, intent_id, amount, status, metadata, created_at)
    select ${intentId} || '_' || n, ${intentId}, 1, 'succeeded', '{}', now() - n * interval '1 minute'
    from generate_series(1, ${count}::int) n`);

it.each([
  ['all', 251, [100, 100, 50], 3],
  ['those of the last 150 minutes', 150.5, [100, 50], 2],
  ['those of the last 100 minutes', 100.5, [100, 0], 2],
  ['none', 0, [0], 1],
])('refunds at the provider are read in pages, newest first: %s', async (_, minutes, batchSizes, pages) => {
  await kit.queryRows(sql`delete from embedded_stripe.refunds`);
  const { intentId } = await kit.createPaidOrder();
  await addRefunds(intentId, 250);
  kit.calls.length = 0;
  const batches: string[][] = [];
  for await (const batch of listKnownRefunds(kit.deps, new Date(Date.now() - minutes * 60_000)))
    batches.push(batch.map(({ id }) => id));
  expect(batches.map(({ length }) => length)).toEqual(batchSizes);
  const count = Math.min(250, Math.floor(minutes));
  expect(batches.flat()).toEqual(Array.from({ length: count }, (_item, n) => `${intentId}_${n + 1}`));
  expect(kit.calls.filter(({ path }) => path === '/v1/refunds')).toHaveLength(pages);
});

it('refunds of payments that this shop has not recorded are ignored', async () => {
  await kit.queryRows(sql`delete from embedded_stripe.refunds`);
  const { intentId } = await kit.createChargedOrder();
  await addRefunds(intentId, 101);
  const batches = [];
  for await (const batch of listKnownRefunds(kit.deps, new Date(0))) batches.push(batch);
  expect(batches).toEqual([[], []]);
});
