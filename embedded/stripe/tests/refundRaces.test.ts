import { CARDS } from '../../../__tests__/support/cards';
import { newIntent, pay, startSandbox } from '../../../__tests__/support/sandbox';
import { waitUntil } from '../../../__tests__/support/wait';

const clock = { ms: Date.now() };
const now = () => new Date(clock.ms);
let sandboxServer: Awaited<ReturnType<typeof startSandbox>>;
beforeAll(async () => void (sandboxServer = await startSandbox({ now })));
afterAll(() => sandboxServer.close());

async function newPayment(card = CARDS.pays) {
  const { id } = await newIntent(sandboxServer.stripe);
  await pay(sandboxServer.stripe, id, card);
  return id;
}

const refund = (payment_intent: string, idempotencyKey?: string, amount?: number) =>
  sandboxServer.stripe.refunds.create({ payment_intent, amount }, idempotencyKey ? { idempotencyKey } : {});
const refundsOf = async (id: string) =>
  (await sandboxServer.stripe.refunds.list({ payment_intent: id, limit: 100 })).data;
const countEvents = async (id: string, type: string) => {
  const { rows } = await sandboxServer.db.$client.query<{ n: number }>(
    `select count(*)::int as n from embedded_stripe.events where type = $2 and body #>> '{data,object,payment_intent}' = $1`,
    [id, type],
  );
  return rows[0]!.n;
};
const codeOf = (result: PromiseSettledResult<unknown>) =>
  result.status === 'fulfilled' ? 'refunded' : (result.reason as { code?: string }).code;

test('fifty simultaneous requests to refund a charge create one refund of its whole amount', async () => {
  const id = await newPayment();
  const results = await Promise.allSettled(Array.from({ length: 50 }, () => refund(id)));
  const codes = results.map(codeOf);
  expect(codes.filter((code) => code === 'refunded')).toHaveLength(1);
  expect(codes.filter((code) => code === 'charge_already_refunded')).toHaveLength(49);
  expect((await refundsOf(id)).map(({ amount }) => amount)).toEqual([2400]);
  expect(await countEvents(id, 'charge.refunded')).toBe(1);
});

test('if the database connection is lost during a refund, nothing is stored', async () => {
  const id = await newPayment();
  const blocker = await sandboxServer.db.$client.connect();
  await blocker.query('begin; lock table embedded_stripe.idempotency in share mode');
  const interruptedRefund = Promise.allSettled([refund(id, `killed-${id}`)]);
  const killWaiting = `
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like '%embedded_stripe.refunds%'`;
  await waitUntil(async () => (await blocker.query(killWaiting)).rowCount);
  expect((await interruptedRefund)[0]).toMatchObject({ status: 'rejected' });
  await blocker.query('rollback');
  blocker.release();
  expect([await refundsOf(id), await countEvents(id, 'refund.created')]).toEqual([[], 0]);
  expect((await refund(id, `killed-${id}`)).amount).toBe(2400);
  expect(await refundsOf(id)).toHaveLength(1);
});

test('each pending refund is completed once, even if one server stops and several others run', async () => {
  const ids = await Promise.all(Array.from({ length: 20 }, () => newPayment(CARDS.refundPending)));
  await Promise.all(ids.map((id) => refund(id)));
  const stoppedServer = await startSandbox({ connection: sandboxServer.connection, now });
  stoppedServer.sandbox.start();
  await stoppedServer.stop();
  clock.ms += 10_000;
  const copies = await Promise.all([1, 2, 3].map(() => startSandbox({ connection: sandboxServer.connection, now })));
  for (const copy of copies) copy.sandbox.start();
  const statuses = async () => (await Promise.all(ids.map(refundsOf))).map(([createdRefund]) => createdRefund?.status);
  await waitUntil(async () => (await statuses()).every((status) => status === 'succeeded'));
  for (const copy of copies) await copy.close();
  const updates = await Promise.all(ids.map((id) => countEvents(id, 'refund.updated')));
  expect(updates).toEqual(ids.map(() => 1));
});
