import { openPool, type Db } from '../../../server/db/database';
import { migrateDatabase, readMigrations } from '../../../server/db/migrate';
import { auditDatabase } from '../../../server/payments/audit';
import { copyDisputesToOrders } from '../../../server/payments/disputes';
import { createDatabaseWithoutTables, type TestDatabase } from '../../support/database';

const MIGRATIONS_WITH_TWO_TABLES = readMigrations().slice(0, 8);

const ORDERS = `
insert into users (id, email) values ('ann', 'ann@mail.example');
insert into tools (name, price, minimum_order_quantity, available_quantity, stocked_quantity, description, img)
  values ('Saw', 7, 1, 94, 100, 'A saw.', '/s.svg');
insert into orders (id, owner_id, email, client, tool_id, product_name, unit_price, quantity, address, phone, state,
    holds_stock, hold_until, slot, deleted_at)
  select ('00000000-0000-4000-8000-00000000000' || n)::uuid, 'ann', 'ann@mail.example', 'Ann', tools.id, 'Saw', unit_price,
    2, '1 Road', '555', state, holds, hold_until, slot, deleted_at
  from tools, (values
    (1, 'paid', 7, true, null::timestamptz, null::int, null::timestamptz),
    (2, 'paid', 7, true, null, null, null),
    (3, 'unpaid', 7, true, now(), 1, null),
    (4, 'unpaid', 7, false, null, 2, null),
    (5, 'unpriced', null, false, null, 1, null),
    (6, 'deleted', 7, false, null, null, now())
  ) as made (n, state, unit_price, holds, hold_until, slot, deleted_at);
update order_counts set n = 5 where shard = 0;`;

const idOf = (n: number) => `00000000-0000-4000-8000-00000000000${n}`;

/** Payments in every state, in `payments` and `refunds_due`, the two tables of the previous release. */
const PAYMENTS = `
insert into payment_attempts (order_id, n, idempotency_key, intent_id, amount_cents, currency, state, lease_until)
  values ('${idOf(1)}', 1, 'a', 'pi_canceled', 1400, 'usd', 'canceled', now()),
    ('${idOf(1)}', 2, 'b', 'pi_paid', 1400, 'usd', 'succeeded', now()),
    ('${idOf(2)}', 1, 'c', 'pi_both', 1400, 'usd', 'succeeded', now()),
    ('${idOf(3)}', 1, 'd', 'pi_open', 1400, 'usd', 'open', now()),
    ('${idOf(4)}', 1, 'e', 'pi_out_of_stock', 1400, 'usd', 'succeeded', now()),
    ('${idOf(6)}', 1, 'f', 'pi_deleted', 1400, 'usd', 'succeeded', now());
insert into payments (intent_id, order_id, amount_cents, currency, created_at)
  values ('pi_paid', '${idOf(1)}', 1400, 'usd', '2026-01-02T03:04:05.678901Z'),
    ('pi_both', '${idOf(2)}', 1400, 'usd', '2026-02-03T04:05:06Z');
insert into refunds_due (intent_id, order_id, amount_cents, currency, reason, returned_at, created_at)
  values ('pi_second', '${idOf(1)}', 1400, 'usd', 'paid order', null, '2026-03-01T00:00:00.000001Z'),
    ('pi_both', '${idOf(2)}', 1400, 'usd', 'paid order', '2026-03-03T00:00:00Z', '2026-03-02T00:00:00Z'),
    ('pi_out_of_stock', '${idOf(4)}', 1400, 'usd', 'out of stock', null, '2026-03-04T00:00:00Z'),
    ('pi_other_amount', '${idOf(4)}', 0, 'eur', 'other amount', null, '2026-03-05T00:00:00Z'),
    ('pi_deleted', '${idOf(6)}', 1400, 'usd', 'deleted order', '2026-03-07T00:00:00Z', '2026-03-06T00:00:00Z'),
    ('pi_unknown', null, 99999999900, 'usd', 'unknown order', null, '2026-03-08T00:00:00Z');
insert into payment_reversals (id, kind, intent_id, order_id, amount_cents, status)
  values ('re_1', 'refund', 'pi_deleted', '${idOf(6)}', 1400, 'succeeded'),
    ('dp_1', 'dispute', 'pi_paid', '${idOf(1)}', 1400, 'won');
insert into provider_events (id, type) values ('evt_1', 'payment_intent.succeeded');`;

let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  database = await createDatabaseWithoutTables();
  db = openPool(database.connection, () => undefined);
  await migrateDatabase(db, MIGRATIONS_WITH_TWO_TABLES);
  await db.$client.query(ORDERS);
  await db.$client.query(PAYMENTS);
});
afterAll(async () => {
  await db.$client.end();
  await database.drop();
});

type Rows = Record<string, unknown>[];
const rowsOf = async (query: string): Promise<Rows> => (await db.$client.query(query)).rows as Rows;
const UNCHANGED_TABLES = [
  'orders',
  'tools',
  'order_counts',
  'payment_attempts',
  'payment_reversals',
  'provider_events',
];
/** Columns that a later migration adds. */
const NEW_COLUMNS = `'{shipped_at,refunded_at,dispute,refund_failed,on_sale,hold_started_at,offered}'::text[]`;
const readUnchangedTables = () =>
  Promise.all(
    UNCHANGED_TABLES.map((table) =>
      rowsOf(`select (to_jsonb(t) - ${NEW_COLUMNS})::text as row from ${table} t order by 1`),
    ),
  );

const COMMON_COLUMNS = 'intent_id, order_id, amount_cents, currency';

test('the migration moves payments and due refunds in every state into a single table', async () => {
  // Compares times as text, because a Date has no microseconds.
  const paid = await rowsOf(`select ${COMMON_COLUMNS}, created_at::text from payments order by 1`);
  const refundsDue = await rowsOf(
    `select ${COMMON_COLUMNS}, reason, returned_at::text, created_at::text from refunds_due where intent_id <> 'pi_both' order by 1`,
  );
  const unchangedBefore = await readUnchangedTables();
  expect([paid.length, refundsDue.length, unchangedBefore.map((rows) => rows.length)]).toEqual([
    2,
    5,
    [6, 1, 32, 6, 2, 1],
  ]);

  await migrateDatabase(db);

  expect(
    await rowsOf(`select ${COMMON_COLUMNS}, created_at::text from payments where outcome = 'paid' order by 1`),
  ).toEqual(paid);
  expect(
    await rowsOf(`select ${COMMON_COLUMNS}, reason, returned_at::text, created_at::text from payments
      where outcome = 'refund due' order by 1`),
  ).toEqual(refundsDue);
  expect(
    await rowsOf(`select intent_id, reason, returned_at::text from payments
      where outcome = 'paid' and (reason is not null or returned_at is not null)`),
  ).toEqual([{ intent_id: 'pi_both', reason: 'paid order', returned_at: '2026-03-03 00:00:00+00' }]);
  expect(await readUnchangedTables()).toEqual(unchangedBefore);
  await migrateDatabase(db);
});

test('after the migration and the first sweep, the doctor reports exactly the problems of the migrated rows', async () => {
  await copyDisputesToOrders({ db });
  const findings = (await auditDatabase(db)).map(({ name, subject }) => [name, subject]);
  expect(findings.sort()).toEqual([
    ['payment_also_due_back', 'pi_both'],
    ['refund_due', 'pi_other_amount'],
    ['refund_due', 'pi_out_of_stock'],
    ['refund_due', 'pi_second'],
    ['refund_due', 'pi_unknown'],
  ]);
});

/** A server of the previous release may still run during an update. */
test('after the migration the previous release can still record payments, and records a due refund only once', async () => {
  const insert = `insert into refunds_due (intent_id, order_id, amount_cents, currency, reason)
    values ('pi_late', null, 700, 'usd', 'unknown order') on conflict do nothing`;
  const [first, second] = [await db.$client.query(insert), await db.$client.query(insert)];
  expect([first.rowCount, second.rowCount]).toEqual([1, 0]);
  expect(await rowsOf(`select outcome, reason from payments where intent_id = 'pi_late'`)).toEqual([
    { outcome: 'refund due', reason: 'unknown order' },
  ]);
  const openRefunds = `select from refunds_due where intent_id = 'pi_late' and returned_at is null`;
  expect(await rowsOf(openRefunds)).toHaveLength(1);
  await db.$client.query(`update refunds_due set returned_at = now() where intent_id = 'pi_late'`);
  expect(await rowsOf(openRefunds)).toHaveLength(0);
  const [{ id }] = (await rowsOf(
    `select id from orders o where not exists (select from payments p where p.order_id = o.id) limit 1`,
  )) as [{ id: string }];
  await db.$client.query(
    `insert into payments (intent_id, order_id, amount_cents, currency) values ('pi_old', $1, 700, 'usd')`,
    [id],
  );
  expect(await rowsOf(`select outcome from payments where intent_id = 'pi_old'`)).toEqual([{ outcome: 'paid' }]);
});
