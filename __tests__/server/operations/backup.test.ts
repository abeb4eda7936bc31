import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { sql } from 'drizzle-orm';
import { audit } from '../../../server/doctor/audit';
import { addMachineKey, listMachineKeys } from '../../../server/auth/machineKeys';
import { main as backup } from '../../../server/cli/backup';
import { main as restore } from '../../../server/cli/restore';
import { runCli } from '../../support/cli';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { postmasterPidOf, copyPreparedFolder, cleanUpDatabases } from '../../support/databaseProcess';
import { readAllRows } from './findSecrets';
import { openPaymentTestKit, type PaymentTestKit } from '../../support/payments';
import { losslessChunk, pictureDraft, webpOf } from '../../support/pictures';
import { startShop } from '../../support/shop';
import { getOrCreateSecret } from '../../../server/db/generatedSecrets';
import { sweepOnce } from '../../../server/jobs/sweep';
import { createAccessTokens } from '../../../server/auth/accessTokens';
import type { StoredPicture } from '../../../src/contract/entities';
import { callShop } from '../../support/api';

describe('Backup and restore', () => {
  const folder = mkdtempSync(join(tmpdir(), 'forgeline-backup-'));
  const backupFile = join(folder, 'shop.backup');
  let shop: PaymentTestKit;
  let target: TestDatabase;

  beforeAll(async () => {
    shop = await openPaymentTestKit({ withoutWebhooks: true, env: { DEMO: 'on' } });
    target = await createTestDatabase();
  });
  cleanUpDatabases();
  afterAll(async () => {
    await shop.close();
    await target.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  const bytesOf = async (url: string) => Buffer.from(await (await fetch(url)).arrayBuffer());
  const catalogOf = async (origin: string) =>
    Promise.all(['/tool', '/review'].map(async (path) => (await bytesOf(origin + path)).toString()));

  // Clause C.10.11
  test('a backup restores every row of the shop into another database', async () => {
    const { customer, order, intentId } = await shop.createChargedOrder();
    expect((await shop.patchOrder(customer, order._id, intentId)).status).toBe(200);
    const { name: productName, id: toolId } = await shop.createTool();
    const address = '18 Foundry Row\u2028Sheffield\u2029England';
    await shop.placeOrder(customer, { productName, toolId, totalQuantity: 20, address });
    const admin = await shop.createCustomer('admin');
    const upload = (bytes: number) => {
      const draft = pictureDraft((width, height) => webpOf(losslessChunk(width, height, bytes)));
      return shop.call<StoredPicture>(admin, 'POST', '/picture', draft);
    };
    const uploaded = await Promise.all([58_000, 58_002, 58_004, 58_006].map(upload));
    expect((await runCli(backup, [backupFile], shop.database!.env)).code).toBe(0);
    expect((await runCli(restore, [backupFile, '--move'], target.env)).code).toBe(0);
    const rows = await readAllRows(shop.database!.url);
    expect(rows).toMatchObject({ orders: { length: 2 }, payments: { length: 1 }, pictures: { length: 12 } });
    expect(await readAllRows(target.url)).toEqual(rows);
    const restoredShop = await startShop({ connection: target.connection, env: { DEMO: 'on' } });
    try {
      expect(await catalogOf(restoredShop.origin)).toEqual(await catalogOf(shop.origin));
      for (const { body } of uploaded)
        expect(await bytesOf(restoredShop.origin + body.img)).toEqual(await bytesOf(shop.origin + body.img));
      expect(await audit(restoredShop.deps)).toEqual([]);
      const { $client } = restoredShop.deps.db;
      await $client.query(`insert into reviews (name, description, ratings, img) values ('a', 'b', 5, '/c')`);
    } finally {
      await restoredShop.close();
    }
  });

  test('a backup has a line for each row, also for programs that end lines at U+2028 and U+2029', () => {
    expect(gunzipSync(readFileSync(backupFile)).toString()).not.toMatch(/[\u2028\u2029]/);
  });

  test('restore writes only to an empty database', async () => {
    const { code, err } = await runCli(restore, [backupFile], shop.database!.env);
    expect([code, err]).toEqual([1, expect.stringContaining('into an empty one')]);
  });

  test.each([
    ['half of a backup', () => readFileSync(backupFile).subarray(0, readFileSync(backupFile).length >> 1)],
    [
      'a backup without its last lines',
      () => gzipSync(gunzipSync(readFileSync(backupFile)).toString().split('\n').slice(0, -3).join('\n')),
    ],
    [
      'a backup of another version',
      () =>
        gzipSync(
          gunzipSync(readFileSync(backupFile))
            .toString()
            .replace(/"schema":"[^"]+"/, '"schema":"0"'),
        ),
    ],
    ['a file that is not a backup', () => Buffer.from('select 1;')],
    ['a compressed file that is not a backup', () => gzipSync('select 1;')],
  ])('restore refuses %s and changes nothing', async (_file, content) => {
    const invalidFile = join(folder, 'bad.backup');
    writeFileSync(invalidFile, content());
    const emptyDatabase = await createTestDatabase();
    const rowsBefore = await readAllRows(emptyDatabase.url);
    const { code, err } = await runCli(restore, [invalidFile], emptyDatabase.env);
    expect([code, err]).toEqual([1, expect.stringContaining('Nothing was changed.')]);
    expect(await readAllRows(emptyDatabase.url)).toEqual(rowsBefore);
    await emptyDatabase.drop();
  });

  async function expectBackupError(file: string, env: Record<string, string>) {
    const { code, err } = await runCli(backup, [file], env);
    expect([code, err]).toEqual([1, expect.stringMatching(/^No backup was made: [^\n]+\.\n$/)]);
  }

  test('backup reports that its file cannot be written, and stops the database that backup started', async () => {
    const dataDir = await copyPreparedFolder();
    await expectBackupError(join(folder, 'missing', 'shop.backup'), { DATA_DIR: dataDir });
    expect(postmasterPidOf(dataDir)).toBeUndefined();
  });

  (existsSync('/dev/full') ? test : test.skip)('backup leaves no file behind on a full disk', async () => {
    const fullDiskFile = join(folder, 'full.backup');
    symlinkSync('/dev/full', `${fullDiskFile}.part`);
    await expectBackupError(fullDiskFile, shop.database!.env);
    expect(readdirSync(folder).filter((name) => name.startsWith('full'))).toEqual([]);
  });
});

describe('A restored copy', () => {
  const HOUR_MS = 3_600_000;
  const folder = mkdtempSync(join(tmpdir(), 'forgeline-restore-'));
  const backupFile = join(folder, 'shop.backup');
  let shop: PaymentTestKit;
  let copy: Awaited<ReturnType<typeof startShop>>;
  let moved: Awaited<ReturnType<typeof startShop>>;
  let clockOffsetMs = 0;
  const databases: TestDatabase[] = [];
  const orders = {} as Record<
    'paying' | 'charged' | 'due' | 'lost' | 'fresh' | 'paid' | 'refunding',
    Awaited<ReturnType<PaymentTestKit['createChargedOrder']>>
  >;

  /**
   * Creates orders whose payment is open, charged but not recorded, due for a refund, and not started. The order `lost`
   * has an open payment whose intent id is missing in the database.
   */
  async function createOrders() {
    const unpaid = await shop.createUnpaidOrder();
    const open = await shop.createIntent(unpaid.customer, unpaid.order._id, unpaid.total);
    orders.paying = { ...unpaid, intentId: open.intentId };
    orders.charged = await shop.createChargedOrder();
    orders.due = await shop.createChargedOrder();
    await shop.queryRows(sql`update orders set unit_price = 9 where id = ${orders.due.order._id}`);
    expect((await shop.patchOrder(orders.due.customer, orders.due.order._id, orders.due.intentId)).status).toBe(409);
    orders.fresh = { ...(await shop.createUnpaidOrder()), intentId: '' };
    const lost = await shop.createUnpaidOrder();
    const lostIntent = await shop.createIntent(lost.customer, lost.order._id, lost.total);
    orders.lost = { ...lost, intentId: lostIntent.intentId };
    await shop.deps.db.$client.query(
      `update payment_attempts set intent_id = null, lease_until = 'epoch' where order_id = $1`,
      [lost.order._id],
    );
    for (const name of ['paid', 'refunding'] as const) {
      orders[name] = await shop.createChargedOrder();
      const { customer, order, intentId } = orders[name];
      expect((await shop.patchOrder(customer, order._id, intentId)).body.paid).toBe(true);
    }
    const { order, intentId } = orders.refunding;
    await shop.queryRows(sql`insert into refunds (intent_id, order_id, amount_cents, currency, reason)
    values (${intentId}, ${order._id}, 1400, 'usd', 'broken')`);
  }

  async function restoreShop(...flags: string[]) {
    const database = await createTestDatabase();
    databases.push(database);
    expect((await runCli(restore, [backupFile, ...flags], database.env)).code).toBe(0);
    return startShop({ connection: database.connection, now: () => new Date(Date.now() + clockOffsetMs) });
  }

  /** Queues emails that cannot be sent, because nothing listens on this port. */
  const WITH_MAIL = { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'shop@shop.example' };

  beforeAll(async () => {
    shop = await openPaymentTestKit({ withoutWebhooks: true, env: WITH_MAIL });
    await createOrders();
    await addMachineKey(shop.deps.db, 'erp', ['orders']);
    expect((await runCli(backup, [backupFile], shop.database!.env)).code).toBe(0);
    [copy, moved] = [await restoreShop(), await restoreShop('--move')];
  });
  beforeEach(() => void (clockOffsetMs = 0));
  afterAll(async () => {
    for (const running of [copy, moved, shop]) await running.close();
    for (const database of databases) await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  const statusOf = async (origin: string, token: string) =>
    (await callShop(origin, `/order?email=${encodeURIComponent(orders.paying.customer.email)}`, { token })).status;
  /** The dependencies of the restored shop, but with the original shop's payment provider. */
  const copyWithLiveKeys = () => ({ ...copy.deps, provider: shop.provider });
  const intentStatus = async (intentId: string) => (await shop.provider.findIntent(intentId))?.status;
  const queryCopy = async (query: string) => (await copy.deps.db.$client.query<Record<string, string>>(query)).rows;

  test("a restored copy rejects the original shop's tokens and tokens signed with the secret in the backup", async () => {
    const { customer } = orders.paying;
    const forged = createAccessTokens(await getOrCreateSecret(shop.deps.db, 'access-token'), () => new Date()).issue(
      customer.id,
    );
    expect([await statusOf(copy.origin, customer.token), await statusOf(copy.origin, forged)]).toEqual([401, 401]);
    expect(await statusOf(copy.origin, copy.deps.tokens.issue(customer.id))).toBe(200);
  });

  test('a shop that is restored with --move keeps its tokens, its shop id and its open payments', async () => {
    expect(await statusOf(moved.origin, orders.paying.customer.token)).toBe(200);
    for (const name of ['access-token', 'shop-name'])
      expect(await getOrCreateSecret(moved.deps.db, name)).toBe(await getOrCreateSecret(shop.deps.db, name));
    const { rows } = await moved.deps.db.$client.query<{ state: string }>(
      'select state from payment_attempts where order_id = any($1)',
      [[orders.paying.order._id, orders.lost.order._id]],
    );
    expect(rows).toEqual([{ state: 'open' }, { state: 'open' }]);
  });

  test("a restored copy has its own shop id and none of the original shop's keys", async () => {
    expect(await getOrCreateSecret(copy.deps.db, 'shop-name')).not.toBe(
      await getOrCreateSecret(shop.deps.db, 'shop-name'),
    );
    expect(await queryCopy('select kid from embedded_identity.keys')).toEqual([]);
    expect((await listMachineKeys(moved.deps.db)).map(({ name }) => name)).toEqual(['erp']);
    expect(await listMachineKeys(copy.deps.db)).toEqual([]);
  });

  test('a restored copy with live Stripe keys neither records nor cancels payments of the original shop', async () => {
    const depsWithLiveKeys = copyWithLiveKeys();
    await sweepOnce(depsWithLiveKeys);
    clockOffsetMs = 5 * HOUR_MS;
    await sweepOnce(depsWithLiveKeys);
    expect(await intentStatus(orders.paying.intentId)).toBe('requires_payment_method');
    expect(await intentStatus(orders.lost.intentId)).toBe('requires_payment_method');
    expect(await queryCopy('select intent_id from payments where not of_original')).toEqual([]);
    expect(await queryCopy(`select id from orders where state = 'unpaid' and holds_stock`)).toEqual([]);
  });

  test("a restored copy never sends the original shop's queued emails, but a shop restored with --move does", async () => {
    expect(await queryCopy('select distinct state from mails')).toEqual([{ state: 'not sent' }]);
    const { rows } = await moved.deps.db.$client.query('select distinct state from mails');
    expect(rows).toContainEqual({ state: 'queued' });
  });

  test("a restored shop whose payment attempt has no intent id does not cancel the original shop's intent", async () => {
    const { customer, order, total } = orders.fresh;
    const { intentId } = await shop.createIntent(customer, order._id, total);
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
    await sweepOnce(copyWithLiveKeys());
    expect(await queryCopy(`select id from orders where id = '${order._id}' and not holds_stock`)).toHaveLength(1);
    expect(await intentStatus(intentId)).toBe('requires_payment_method');
  });

  const listRefunds = async (name: 'due' | 'paid' | 'refunding') =>
    (await shop.provider.listRefunds(orders[name].intentId)).map(({ amountCents }) => amountCents);

  test("a restored copy never refunds the original shop's payments, but a shop restored with --move does", async () => {
    const { id } = await shop.createCustomer('admin');
    await copy.deps.db.$client.query(`insert into users (id, role) values ($1, 'admin')`, [id]);
    const depsWithLiveKeys = copyWithLiveKeys();
    for (clockOffsetMs of [61_000, HOUR_MS]) await sweepOnce(depsWithLiveKeys);
    clockOffsetMs = 0;
    const token = copy.deps.tokens.issue(id);
    for (const name of ['paid', 'refunding'] as const) {
      const path = `/order/${orders[name].order._id}/refund`;
      const draft = { method: 'POST', token, body: { reason: 'broken', restock: false } };
      const { status, body } = await callShop(copy.origin, path, draft);
      expect([status, body['code']]).toEqual([409, 'payment_of_original']);
    }
    for (const name of ['due', 'paid', 'refunding'] as const) expect(await listRefunds(name)).toEqual([]);
    await sweepOnce({ ...moved.deps, provider: shop.provider });
    expect([await listRefunds('due'), await listRefunds('paid'), await listRefunds('refunding')]).toEqual([
      [1400],
      [],
      [1400],
    ]);
    await sweepOnce(depsWithLiveKeys);
    expect(await queryCopy(`select state from refunds`)).toEqual([{ state: 'requested' }]);
    expect(await queryCopy(`select id from orders where state = 'refunded'`)).toEqual([]);
  });

  test('the doctor finds no problems in a restored copy with live Stripe keys', async () => {
    expect(await audit(copyWithLiveKeys())).toEqual([]);
  });

  test("paying an order in a restored copy creates a new intent instead of using the original shop's", async () => {
    const { customer, order, total, intentId } = orders.lost;
    const path = `/create-payment-intent?order=${order._id}`;
    const token = copy.deps.tokens.issue(customer.id);
    const { status, body } = await callShop(copy.origin, path, { method: 'POST', token, body: { totalPrice: total } });
    expect(status).toBe(200);
    expect(String(body['clientSecret'])).not.toContain(intentId);
  });

  test('the original shop continues to settle its own payments after a copy was restored', async () => {
    await sweepOnce(shop.deps);
    expect(await shop.stateOf(orders.charged.order._id)).toBe('paid');
    const { customer, order, total, intentId } = orders.paying;
    expect((await shop.createIntent(customer, order._id, total)).body.clientSecret).toContain(intentId);
  });
});
