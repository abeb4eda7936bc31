import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { getTableName, is, sql } from 'drizzle-orm';
import { PgTable } from 'drizzle-orm/pg-core';
import * as mail from '../../../server/db/schema/mail';
import * as order from '../../../server/db/schema/orders';
import * as payment from '../../../server/db/schema/payments';
import * as rest from '../../../server/db/schema/shop';
import { createDatabaseRateLimit } from '../../../server/http/rateLimit';
import { deleteOldRows } from '../../../server/jobs/deleteOldRows';
import { deleteExpiredLinks } from '../../../server/mail/mailQueue';
import { blankDeletedOrders, deleteOldOrders } from '../../../server/orders/deletedOrders';
import { openPaymentTestKit, type PaymentTestKit } from '../../support/payments';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MINUTE_MS = 60_000;
let testKit: PaymentTestKit;
beforeAll(async () => {
  testKit = await openPaymentTestKit({ withoutWebhooks: true });
});
afterAll(() => testKit.close());

const depsAfter = (ms: number) => ({ ...testKit.deps, now: () => new Date(Date.now() + ms) });

// Clause C.6.16
it('an Idempotency-Key is remembered for 24 hours', async () => {
  const [customer, tool, key] = [await testKit.createCustomer(), await testKit.createTool(), randomUUID()];
  const place = async () =>
    (await testKit.placeOrder(customer, { productName: tool.name, totalQuantity: 1 }, key)).body._id;
  const first = await place();
  expect(await deleteOldRows(depsAfter(DAY_MS - MINUTE_MS), rest.idempotencyKeys)).toBe(0);
  expect(await place()).toBe(first);
  expect(await deleteOldRows(depsAfter(DAY_MS + MINUTE_MS), rest.idempotencyKeys)).toBe(1);
  expect(await place()).not.toBe(first);
});

it.each([4_999, 5_000, 10_001])('%i old Idempotency-Keys are all deleted, in parts', async (count) => {
  const { id } = await testKit.createCustomer();
  await testKit.queryRows(sql`
    insert into idempotency_keys (user_id, call, key, body_hash, answer, created_at)
    select ${id}, 'POST /order', n, 'hash', '{}', now() - interval '25 hours' from generate_series(1, ${count}::int) n`);
  expect(await deleteOldRows(testKit.deps, rest.idempotencyKeys)).toBe(count);
});

it('a hold that ended unpaid is remembered for 24 hours', async () => {
  await testKit.queryRows(sql`insert into ended_holds (owner_id, tool_id, held_seconds, ended_at)
    select 'ann', gen_random_uuid(), 900, now()`);
  expect(await deleteOldRows(depsAfter(DAY_MS - MINUTE_MS), order.endedHolds)).toBe(0);
  expect(await deleteOldRows(depsAfter(DAY_MS + MINUTE_MS), order.endedHolds)).toBe(1);
});

it('a webhook event is remembered for 30 days', async () => {
  const { intentId } = await testKit.createChargedOrder();
  expect((await testKit.sendWebhook(testKit.webhookEvent(intentId, undefined, 'evt_old'))).status).toBe(200);
  const eventIds = async () => (await testKit.queryRows(sql`select id from provider_events`)).map(({ id }) => id);
  await deleteOldRows(depsAfter(30 * DAY_MS - MINUTE_MS), payment.providerEvents);
  expect(await eventIds()).toEqual(['evt_old']);
  await deleteOldRows(depsAfter(30 * DAY_MS + MINUTE_MS), payment.providerEvents);
  expect(await eventIds()).toEqual([]);
});

it('a rate limit is deleted when it has expired', async () => {
  const { db, now } = testKit.deps;
  await createDatabaseRateLimit(db, now)('young', 1, 2 * 60);
  await createDatabaseRateLimit(db, now)('old', 1, 60);
  await deleteOldRows(depsAfter(1.5 * MINUTE_MS), rest.rateLimits);
  expect(await testKit.queryRows(sql`select bucket from rate_limits`)).toEqual([{ bucket: 'young' }]);
});

it('an act of an admin is remembered for two years', async () => {
  const admin = await testKit.createCustomer('admin');
  await testKit.queryRows(sql`insert into admin_acts (actor_id, act, subject, detail)
    values (${admin.id}, 'edit tool', 'a tool', '{}')`);
  expect(await deleteOldRows(depsAfter(729 * DAY_MS), order.adminActs)).toBe(0);
  expect(await deleteOldRows(depsAfter(731 * DAY_MS), order.adminActs)).toBe(1);
});

it('emails and their links are deleted in parts', async () => {
  await testKit.queryRows(sql`delete from mails`);
  await testKit.queryRows(sql`insert into mails (kind, about, recipient, link, link_expires_at)
    select 'verify email', n, 'a@mail.example', 'https://shop.example', now() from generate_series(1, 5001) n`);
  expect(await deleteExpiredLinks(testKit.deps)).toBe(5_001);
  expect(await deleteOldRows(depsAfter(90 * DAY_MS - MINUTE_MS), mail.mails)).toBe(0);
  expect(await deleteOldRows(depsAfter(90 * DAY_MS + MINUTE_MS), mail.mails)).toBe(5_001);
});

describe('A deleted order', () => {
  const readOrder = async (id: string) =>
    (await testKit.queryRows(sql`select email, client, address, phone, product_name from orders where id = ${id}`))[0];
  const BLANK = { email: '', client: '', address: '', phone: '', product_name: expect.any(String) as string };

  // Clause C.5.17
  it('that was never paid loses its personal data after 30 days, and its row after a year', async () => {
    const { customer, order: deleted, total } = await testKit.createUnpaidOrder();
    await testKit.createIntent(customer, deleted._id, total);
    await testKit.call(customer, 'DELETE', `/order/${deleted._id}`);
    expect(await blankDeletedOrders(depsAfter(29 * DAY_MS))).toBe(0);
    expect(await readOrder(deleted._id)).toMatchObject({ email: customer.email, address: '1 Main' });
    expect(await blankDeletedOrders(depsAfter(31 * DAY_MS))).toBe(1);
    expect(await blankDeletedOrders(depsAfter(31 * DAY_MS))).toBe(0);
    expect(await readOrder(deleted._id)).toEqual(BLANK);
    expect(await deleteOldOrders(depsAfter(364 * DAY_MS))).toBe(0);
    expect(await deleteOldOrders(depsAfter(366 * DAY_MS))).toBe(1);
    expect(await readOrder(deleted._id)).toBeUndefined();
    expect(await testKit.countRowsOf('payment_attempts', deleted._id)).toBe(0);
    expect(await testKit.runAudit()).toEqual([]);
  });

  it('that money arrived for stays', async () => {
    const { customer, order: late, total } = await testKit.createUnpaidOrder();
    const { body, intentId } = await testKit.createIntent(customer, late._id, total);
    await testKit.confirm(body.clientSecret);
    await testKit.endHold(late._id, sql`state = 'deleted', deleted_at = now()`);
    await testKit.patchOrder(customer, late._id, intentId);
    expect(await blankDeletedOrders(depsAfter(31 * DAY_MS))).toBe(0);
    expect(await deleteOldOrders(depsAfter(366 * DAY_MS))).toBe(0);
    expect(await readOrder(late._id)).toMatchObject({ email: customer.email });
  });
});

it('docs/OPERATIONS.md says of each table who deletes its rows', () => {
  const page = readFileSync('docs/OPERATIONS.md', 'utf8');
  const described = [...page.matchAll(/^\| `([a-z_]+)` +\| \S/gm)].map(([, name]) => name);
  const tables = [mail, order, payment, rest].flatMap((part) =>
    Object.values<unknown>(part).flatMap((value) => (is(value, PgTable) ? [getTableName(value)] : [])),
  );
  expect(described).toEqual(tables.sort());
});
