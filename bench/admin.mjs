import { openDatabase } from './shop.mjs';

export const SMALL_ORDERS = 1000;
export const LARGE_ORDERS = 1_000_000;
const CUSTOMERS = 1000;

/** Tools straight into the shop's database, told as any other copy of the server tells of a change. */
export async function addTools(shop, wanted, { pieces = 1000 } = {}) {
  const client = await openDatabase(shop);
  const { rows } = await client.query(
    `insert into tools (name, price, minimum_order_quantity, available_quantity, stocked_quantity, description, img)
     select 'Bench tool ' || n, 3, 1, $2, $2, 'Drop-forged, hardened and checked by hand before it leaves the factory.',
       '/images/tools/claw-hammer.webp'
     from generate_series(1, $1::int) n returning id`,
    [wanted, pieces],
  );
  const ids = rows.map(({ id }) => id);
  await client.query(`select pg_notify('forgeline_catalogue', 'bench tools')`);
  await client.end();
  await untilShown(shop, ids.at(-1));
  return ids;
}

async function untilShown({ port }, id) {
  while (!(await fetch(`http://127.0.0.1:${port}/tool/${id}`, { headers: { accept: 'application/json' } })).ok);
}

/** Orders of a thousand customers, recorded without a price: as many as no call could make in time. */
export async function addOrders(shop, tool, wanted) {
  const client = await openDatabase(shop);
  await client.query(
    `insert into users (id, email) select 'bench-' || n, 'bench-' || n || '@bench.example'
     from generate_series(1, $1::int) n on conflict do nothing`,
    [CUSTOMERS],
  );
  await client.query(
    `insert into orders (owner_id, email, client, tool_id, product_name, quantity, address, phone, state, holds_stock)
     select 'bench-' || (1 + n % $2), 'bench-' || (1 + n % $2) || '@bench.example', 'Bench', $3, $4, 1,
       '1 Main Street', '5551234', 'unpriced', false
     from generate_series(1, $1::int) n`,
    [wanted, CUSTOMERS, tool._id, tool.name],
  );
  await client.query('update order_counts set n = n + $1 where shard = 0', [wanted]);
  await client.query('vacuum analyze orders');
  await client.end();
}

/** Orders of one customer, recorded without a price, each of which has a button that deletes it. */
export async function addOrdersOf(shop, { email, tool }, wanted) {
  const client = await openDatabase(shop);
  await client.query(
    `with counted as (update order_counts set n = n + $2::int where shard = 0)
     insert into orders (owner_id, email, client, tool_id, product_name, quantity, address, phone, state, holds_stock)
     select u.id, u.email, 'Bench', $3, $4 || ' ' || n, 1, '1 Main Street', '5551234', 'unpriced', false
     from users u, generate_series(1, $2::int) n where u.email = $1`,
    [email, wanted, tool._id, tool.name],
  );
  await client.end();
}
