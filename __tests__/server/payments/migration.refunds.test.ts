import { openPool, type Db } from '../../../server/db/database';
import { migrateDatabase, readMigrations } from '../../../server/db/migrate';
import { auditDatabase } from '../../../server/payments/audit';
import { copyDisputesToOrders } from '../../../server/payments/disputes';
import { createDatabaseWithoutTables, type TestDatabase } from '../../support/database';
import { startShop } from '../../support/shop';

const MIGRATIONS_WITHOUT_REFUNDS = readMigrations().slice(0, 9);
const idOf = (n: number) => `00000000-0000-4000-8000-00000000000${n}`;

/** Orders in every state of the previous release, with holds, attempts, payments, refunds and disputes. */
const ROWS = `
insert into users (id, email, role) values ('ann', 'ann@mail.example', 'member'), ('eve', 'eve@mail.example', 'admin');
insert into tools (name, price, minimum_order_quantity, available_quantity, stocked_quantity, description, img)
  values ('Saw', 7, 1, 90, 100, 'A saw.', '/s.svg');
insert into reviews (name, description, ratings, img) values ('Ann', 'It holds.', 5, '/a.svg');
insert into orders (id, owner_id, email, client, tool_id, product_name, unit_price, quantity, address, phone, state,
    holds_stock, hold_until, hold_last_at, hold_ended_at, slot, deleted_at)
  select ('00000000-0000-4000-8000-00000000000' || n)::uuid, 'ann', 'ann@mail.example', 'Ann', tools.id, 'Saw', unit_price,
    2, '1 Road', '555', state, holds, hold_until, hold_until, hold_ended_at, slot, deleted_at
  from tools, (values
    (1, 'paid', 7, true, null::timestamptz, null::timestamptz, null::int, null::timestamptz),
    (2, 'paid', 7, true, null, null, null, null),
    (3, 'paid', 7, true, null, null, null, null),
    (4, 'unpaid', 7, true, now() + interval '1 hour', null, 1, null),
    (5, 'unpaid', 7, true, now() + interval '1 hour', null, 2, null),
    (6, 'unpaid', 7, false, null, now(), 3, null),
    (7, 'unpriced', null, false, null, null, 1, null),
    (8, 'deleted', 7, false, null, null, null, now()),
    (9, 'deleted', null, false, null, null, null, now())
  ) as made (n, state, unit_price, holds, hold_until, hold_ended_at, slot, deleted_at);
update order_counts set n = 7 where shard = 0;
insert into payment_attempts (order_id, n, idempotency_key, intent_id, amount_cents, currency, state, lease_until)
  values ('${idOf(1)}', 1, 'a', 'pi_1', 1400, 'usd', 'succeeded', now()),
    ('${idOf(2)}', 1, 'b', 'pi_2', 1400, 'usd', 'succeeded', now()),
    ('${idOf(3)}', 1, 'c', 'pi_3', 1400, 'usd', 'succeeded', now()),
    ('${idOf(5)}', 1, 'd', 'pi_open', 1400, 'usd', 'open', now()),
    ('${idOf(8)}', 1, 'e', 'pi_late', 1400, 'usd', 'succeeded', now());
insert into payments (intent_id, order_id, outcome, amount_cents, currency, reason, returned_at)
  values ('pi_1', '${idOf(1)}', 'paid', 1400, 'usd', null, null), ('pi_2', '${idOf(2)}', 'paid', 1400, 'usd', null, null),
    ('pi_3', '${idOf(3)}', 'paid', 1400, 'usd', null, null),
    ('pi_late', '${idOf(8)}', 'refund due', 1400, 'usd', 'deleted order', null),
    ('pi_back', '${idOf(8)}', 'refund due', 1400, 'usd', 'deleted order', now()),
    ('pi_unknown', null, 'refund due', 0, 'eur', 'unknown order', null);
insert into payment_reversals (id, kind, intent_id, order_id, amount_cents, status)
  values ('re_1', 'refund', 'pi_1', '${idOf(1)}', 1400, 'succeeded'),
    ('dp_2', 'dispute', 'pi_2', '${idOf(2)}', 1400, 'needs_response'),
    ('dp_3', 'dispute', 'pi_3', '${idOf(3)}', 1400, 'lost');
insert into provider_events (id, type) values ('evt_1', 'payment_intent.succeeded');
insert into idempotency_keys (user_id, call, key, body_hash, answer) values ('ann', 'POST /order', 'key', 'hash', '{}');`;

let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  database = await createDatabaseWithoutTables();
  db = openPool(database.connection, () => undefined);
  await migrateDatabase(db, MIGRATIONS_WITHOUT_REFUNDS);
  await db.$client.query(ROWS);
});
afterAll(async () => {
  await db.$client.end();
  await database.drop();
});

const rowsOf = async (query: string) => (await db.$client.query(query)).rows as Record<string, unknown>[];
const TABLES = [
  ...['users', 'tools', 'reviews', 'orders', 'order_counts', 'payment_attempts', 'payments', 'payment_reversals'],
  ...['provider_events', 'idempotency_keys'],
];

/** Omits the columns that later migrations add. Reads rows as text, because a Date has no microseconds. */
const readRows = () =>
  Promise.all(
    TABLES.map((table) =>
      rowsOf(`select '${table}' as name, jsonb_agg(to_jsonb(t) - array['shipped_at', 'refunded_at', 'dispute',
        'refund_failed', 'on_sale', 'card_brand', 'card_last4', 'hold_started_at', 'offered'] order by to_jsonb(t)::text)::text as rows from ${table} t`),
    ),
  );

/** Statements of the previous release. They must work after the migration too. */
const PREVIOUS_RELEASE_WRITES = [
  `insert into orders (owner_id, email, client, tool_id, product_name, unit_price, quantity, address, phone, state,
     holds_stock, hold_until, slot)
   select 'ann', 'ann@mail.example', 'Ann', id, 'Saw', 7, 1, '1 Road', '555', 'unpaid', true, now(), 9 from tools`,
  `update orders o set state = 'paid', slot = null, hold_until = null, deleting_until = null where slot = 9`,
  `insert into payment_reversals (id, kind, intent_id, amount_cents, status) values ('re_9', 'refund', 'pi_2', 1, 'failed')`,
  `update tools set available_quantity = available_quantity - 1`,
];

test('the migration to the refund tables keeps all rows in every state', async () => {
  const before = await readRows();
  expect(before.every(([table]) => table?.['rows'] !== null)).toBe(true);
  await migrateDatabase(db);
  expect(await readRows()).toEqual(before);
  expect(
    await rowsOf(`select count(*)::int as n from orders where shipped_at is null and refunded_at is null
    and dispute is null and not refund_failed`),
  ).toEqual([{ n: 9 }]);
  expect(await rowsOf('select on_sale from tools')).toEqual([{ on_sale: true }]);
  await migrateDatabase(db);
});

test('disputes that the previous release recorded are copied to their orders, and the doctor reports the problems of the migrated rows', async () => {
  await copyDisputesToOrders({ db });
  expect(await rowsOf('select id, dispute from orders where dispute is not null order by id')).toEqual([
    { id: idOf(2), dispute: 'open' },
    { id: idOf(3), dispute: 'lost' },
  ]);
  const findings = (await auditDatabase(db)).map(({ name, subject }) => `${name} ${subject}`);
  expect(findings.sort()).toEqual([
    'dispute_open pi_2',
    `order_refunded ${idOf(1)}`,
    'refund_due pi_late',
    'refund_due pi_unknown',
  ]);
});

test('after the migration the previous release can still write its rows', async () => {
  for (const statement of PREVIOUS_RELEASE_WRITES) {
    const { rowCount } = await db.$client.query(statement);
    expect([statement, rowCount]).not.toEqual([statement, 0]);
  }
});

test('the shop starts on the migrated database and lists each order with its status', async () => {
  const shop = await startShop({ connection: database.connection });
  const headers = { authorization: `Bearer ${shop.deps.tokens.issue('eve')}` };
  const orders = (await (await fetch(`${shop.origin}/order`, { headers })).json()) as { _id: string; status: string }[];
  await shop.close();
  const statuses = Object.fromEntries(orders.map(({ _id, status }) => [_id, status]));
  expect(statuses).toMatchObject({
    [idOf(1)]: 'paid',
    [idOf(4)]: 'unpaid',
    [idOf(6)]: 'unpaid',
    [idOf(7)]: 'unpriced',
  });
  expect([statuses[idOf(8)], statuses[idOf(9)]]).toEqual([undefined, undefined]);
});
