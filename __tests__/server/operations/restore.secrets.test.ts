import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { audit } from '../../../server/payments/audit';
import { main as backup } from '../../../server/cli/backup';
import { main as restore } from '../../../server/cli/restore';
import { ownSecret } from '../../../server/db/generatedSecrets';
import { sweepOnce } from '../../../server/payments/sweep';
import { accessTokens } from '../../../server/auth/accessTokens';
import { callShop } from '../../support/api';
import { freshDatabase, type TestDatabase } from '../../support/database';
import { openPaymentTestKit, type PaymentTestKit } from '../../support/payments';
import { startShop } from '../../support/shop';

const HOURS = 3_600_000;
const folder = mkdtempSync(join(tmpdir(), 'forgeline-restore-'));
const file = join(folder, 'shop.backup');
let shop: PaymentTestKit;
let copy: Awaited<ReturnType<typeof startShop>>;
let moved: Awaited<ReturnType<typeof startShop>>;
let ahead = 0;
const databases: TestDatabase[] = [];
const orders = {} as Record<
  'paying' | 'charged' | 'due' | 'lost' | 'fresh',
  Awaited<ReturnType<PaymentTestKit['charged']>>
>;

/** The original's state at the backup: a payment that is open, one that nobody heard of, and one to be refunded. */
async function fill() {
  const open = await shop.unpaid();
  const { body } = await shop.ask(open.who, open.order._id, open.total);
  orders.paying = { ...open, intentId: body.clientSecret.split('_secret_')[0]! };
  orders.charged = await shop.charged();
  orders.due = await shop.charged();
  await shop.rows(sql`update orders set unit_price = 9 where id = ${orders.due.order._id}`);
  expect((await shop.patch(orders.due.who, orders.due.order._id, orders.due.intentId)).status).toBe(409);
  orders.fresh = { ...(await shop.unpaid()), intentId: '' };
  const lost = await shop.unpaid();
  const asked = await shop.ask(lost.who, lost.order._id, lost.total);
  orders.lost = { ...lost, intentId: asked.body.clientSecret.split('_secret_')[0]! };
  await shop.deps.db.$client.query(
    `update payment_attempts set intent_id = null, lease_until = 'epoch' where order_id = $1`,
    [lost.order._id],
  );
}

async function restored(...flags: string[]) {
  const database = await freshDatabase();
  databases.push(database);
  expect(await restore([file, ...flags], { DATABASE_URL: database.url })).toBe(0);
  return startShop({ connection: database.connection, now: () => new Date(Date.now() + ahead) });
}

beforeAll(async () => {
  jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  shop = await openPaymentTestKit({ silent: true });
  await fill();
  expect(await backup([file], { DATABASE_URL: shop.database!.url })).toBe(0);
  [copy, moved] = [await restored(), await restored('--move')];
});
beforeEach(() => void (ahead = 0));
afterAll(async () => {
  jest.restoreAllMocks();
  for (const one of [copy, moved, shop]) await one.close();
  for (const database of databases) await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

const statusOf = async (origin: string, token: string) =>
  (await callShop(origin, `/order?email=${encodeURIComponent(orders.paying.who.email)}`, { token })).status;
/** The copy with the keys of the original's payment provider. */
const withLiveKeys = () => ({ ...copy.deps, payments: shop.provider });
const intentStatus = async (intentId: string) => (await shop.provider.findIntent(intentId))?.status;
const all = async (query: string) => (await copy.deps.db.$client.query<Record<string, string>>(query)).rows;

test('a token of the original, and one signed with the secret in the backup, is refused by the copy', async () => {
  const { who } = orders.paying;
  const forged = accessTokens(await ownSecret(shop.deps.db, 'access-token'), () => new Date()).issue(who.id);
  expect([await statusOf(copy.origin, who.token), await statusOf(copy.origin, forged)]).toEqual([401, 401]);
  expect(await statusOf(copy.origin, copy.deps.tokens.issue(who.id))).toBe(200);
});

test('a shop that moves keeps its tokens, its name and its open payments', async () => {
  expect(await statusOf(moved.origin, orders.paying.who.token)).toBe(200);
  for (const name of ['access-token', 'shop-name'])
    expect(await ownSecret(moved.deps.db, name)).toBe(await ownSecret(shop.deps.db, name));
  const { rows } = await moved.deps.db.$client.query<{ state: string }>(
    'select state from payment_attempts where order_id = any($1)',
    [[orders.paying.order._id, orders.lost.order._id]],
  );
  expect(rows).toEqual([{ state: 'open' }, { state: 'open' }]);
});

test('a copy has a name of its own, and no key to sign ID tokens that the backup has', async () => {
  expect(await ownSecret(copy.deps.db, 'shop-name')).not.toBe(await ownSecret(shop.deps.db, 'shop-name'));
  expect(await all('select kid from identity_keys')).toEqual([]);
});

test('a copy with live keys takes, cancels and offers no payment of the original', async () => {
  const copied = withLiveKeys();
  await sweepOnce(copied);
  ahead = 5 * HOURS;
  await sweepOnce(copied);
  expect(await intentStatus(orders.paying.intentId)).toBe('requires_payment_method');
  expect(await intentStatus(orders.lost.intentId)).toBe('requires_payment_method');
  expect(await all(`select intent_id from payments where outcome = 'paid'`)).toEqual([]);
  expect(await all(`select id from orders where state = 'paid'`)).toEqual([]);
  expect(await all(`select id from orders where state = 'unpaid' and holds_stock`)).toEqual([]);
});

test('a copy that lost sight of an intent of its own does not take the original’s for it', async () => {
  const { who, order, total } = orders.fresh;
  const { body } = await shop.ask(who, order._id, total);
  const intentId = body.clientSecret.split('_secret_')[0]!;
  await copy.deps.db.$client.query(
    `insert into payment_attempts (order_id, n, idempotency_key, amount_cents, currency, lease_until)
     values ($1, 1, 'lost', $2, 'usd', 'epoch')`,
    [order._id, total * 100],
  );
  await copy.deps.db.$client.query(
    `with o as (update orders set holds_stock = true, hold_until = 'epoch' where id = $1 returning tool_id, quantity)
     update tools t set available_quantity = available_quantity - o.quantity from o where t.id = o.tool_id`,
    [order._id],
  );
  await sweepOnce(withLiveKeys());
  expect(await all(`select id from orders where id = '${order._id}' and not holds_stock`)).toHaveLength(1);
  expect(await intentStatus(intentId)).toBe('requires_payment_method');
});

test('the doctor of a copy with live keys finds nothing to complain of', async () => {
  expect(await audit(withLiveKeys())).toEqual([]);
});

test('an order of a copy is paid by a payment of its own, beside the original’s', async () => {
  const { who, order, total, intentId } = orders.lost;
  const path = `/create-payment-intent?order=${order._id}`;
  const token = copy.deps.tokens.issue(who.id);
  const { status, body } = await callShop(copy.origin, path, { method: 'POST', token, body: { totalPrice: total } });
  expect(status).toBe(200);
  expect(String(body['clientSecret'])).not.toContain(intentId);
});

test('the original goes on: its payments are settled by itself', async () => {
  await sweepOnce(shop.deps);
  expect(await shop.stateOf(orders.charged.order._id)).toBe('paid');
  const { who, order, total, intentId } = orders.paying;
  expect((await shop.ask(who, order._id, total)).body.clientSecret).toContain(intentId);
});

test.each([[['--move']], [['a', 'b']], [['a', '--mov']], [[]]])('restore %j says how it is used', async (argv) => {
  const said = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  expect(await restore(argv, {})).toBe(2);
  expect(said).toHaveBeenCalledWith(expect.stringContaining('--move'));
  said.mockRestore();
});
