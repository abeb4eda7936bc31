import { openPool, type Db } from '../../../server/db/database';
import { migrateDatabase } from '../../../server/db/migrate';
import { createDatabaseWithoutTables, type TestDatabase } from '../../support/database';
import { migrateUpTo } from '../payments/migrateUpTo';

const LAST_MIGRATION_WITH_SLOTS = 11;
let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  database = await createDatabaseWithoutTables();
  db = openPool(database.connection, () => undefined);
  await migrateUpTo(db, LAST_MIGRATION_WITH_SLOTS);
});
afterAll(async () => {
  await db.$client.end();
  await database.drop();
});

const rowsOf = async (query: string) => (await db.$client.query(query)).rows as unknown[];
/** Numbers each order by its quantity. */
const insertOrders = (values: string) =>
  rowsOf(`insert into orders (owner_id, email, client, tool_id, product_name, unit_price, address, phone, state,
      holds_stock, quantity, slot, hold_ended_at)
    select 'ann', 'ann@mail.example', 'Ann', tools.id, 'Saw', 7, '1 Road', '555', 'unpaid', false, n, slot, ended
    from tools, (values ${values}) as made (n, slot, ended)`);

test('the migration keeps holds that ended within a day, marks offered prices, and leaves the previous version running', async () => {
  await rowsOf(`insert into users (id, email) values ('ann', 'ann@mail.example');
    insert into tools (name, price, minimum_order_quantity, available_quantity, stocked_quantity, description, img)
      values ('Saw', 7, 1, 100, 100, 'A saw.', '/s.svg')`);
  await insertOrders(`(1, 1, null::timestamptz), (2, null, null), (3, 2, now() - interval '1 hour'),
    (4, 3, now() - interval '25 hours')`);
  await rowsOf(`update orders set deleting_until = '9999-01-01T00:00:00Z' where quantity = 1`);
  await migrateDatabase(db);
  expect(await rowsOf(`select from orders where deleting_until is not null`)).toEqual([]);
  expect(await rowsOf(`select quantity from orders where offered`)).toEqual([{ quantity: 2 }]);
  expect(
    await rowsOf(`select owner_id, held_seconds from ended_holds e join orders o using (owner_id, tool_id)
      where o.hold_ended_at = e.ended_at`),
  ).toEqual([{ owner_id: 'ann', held_seconds: 900 }]);

  await insertOrders(`(5, 4, null::timestamptz)`);
  await rowsOf(`update order_counts set n = n + 1 where shard = 0`);
  expect(await rowsOf(`select quantity from orders where slot = 4 and not offered`)).toEqual([{ quantity: 5 }]);
});
