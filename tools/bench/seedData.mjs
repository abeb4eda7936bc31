import { openDatabase } from './shop.mjs';

export const ORDERS_IN_SMALL_SHOP = 1000;
export const ORDERS_IN_LARGE_SHOP = 1_000_000;
const CUSTOMERS = 1000;

/** Inserts tools directly, and notifies the server of the change, as another server would. */
export async function addTools(shop, count, { stock = 1000 } = {}) {
  const client = await openDatabase(shop);
  const { rows } = await client.query(
    `insert into tools (name, price, minimum_order_quantity, available_quantity, stocked_quantity, description, img)
     select 'Bench tool ' || n, 3, 1, $2, $2, 'Drop-forged, hardened and checked by hand before it leaves the factory.',
       '/images/tools/claw-hammer.webp'
     from generate_series(1, $1::int) n returning id`,
    [count, stock],
  );
  const ids = rows.map(({ id }) => id);
  await client.query(`select pg_notify('forgeline_catalogue', 'bench tools')`);
  await client.end();
  await waitUntilShown(shop, ids.at(-1));
  return ids;
}

async function waitUntilShown({ port }, id) {
  while (!(await fetch(`http://127.0.0.1:${port}/tool/${id}`, { headers: { accept: 'application/json' } })).ok);
}

/** Inserts unpriced orders of a thousand customers directly, because placing them by request would take too long. */
export async function addOrders(shop, tool, count) {
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
    [count, CUSTOMERS, tool._id, tool.name],
  );
  await client.query('vacuum analyze orders');
  await client.end();
}

/**
 * Inserts orders and payments like those of a shop after years, with 20,000 customers and 500 products. Of 100 orders,
 * one is not shipped yet, one is unpriced, one is unpaid and one is refunded. All others are shipped.
 */
export async function addSoldOrders(shop, tool, count) {
  const client = await openDatabase(shop);
  await client.query(
    `insert into users (id, email) select 'sold-' || n, 'customer.' || n || '@mail' || n % 50 || '.example'
     from generate_series(0, 19999) n on conflict do nothing`,
  );
  await client.query('begin');
  await client.query(
    `insert into orders (owner_id, email, client, tool_id, product_name, quantity, address, phone, unit_price,
       state, holds_stock, shipped_at, refunded_at, created_at)
     select 'sold-' || n * 1003 % 20000, 'customer.' || n * 1003 % 20000 || '@mail' || n * 1003 % 20000 % 50 || '.example',
       'Customer ' || n * 1003 % 20000, $2, 'Product ' || n % 500, 20,
       n % 997 || ' ' || (array['Elm','Oak','Birch','Main','Foundry'])[1 + n % 5] || ' Street, '
         || (array['Rockford','Peoria','Joliet','Aurora'])[1 + n % 4] || ', IL ' || 60000 + n % 3000, '5551234',
       case n % 100 when 1 then null else 3 end,
       case n % 100 when 1 then 'unpriced' when 2 then 'refunded' when 3 then 'unpaid' else 'paid' end,
       n % 100 > 3 or n % 100 = 0, case when n % 100 > 3 then now() end, case n % 100 when 2 then now() end,
       now() - make_interval(mins => $1 - n)
     from generate_series(1, $1::int) n`,
    [count, tool._id],
  );
  await client.query(
    `insert into payments (intent_id, order_id, amount_cents, currency)
     select 'pi_' || md5(id::text), id, 6000, 'usd' from orders where state in ('paid', 'refunded')`,
  );
  await client.query('commit');
  await client.query('vacuum analyze orders, payments');
  await client.end();
}

/** Inserts unpriced orders of one customer, because My Orders shows a delete button only for these. */
export async function addOrdersOfCustomer(shop, { email, tool }, count) {
  const client = await openDatabase(shop);
  await client.query(
    `insert into orders (owner_id, email, client, tool_id, product_name, quantity, address, phone, state, holds_stock)
     select u.id, u.email, 'Bench', $3, $4 || ' ' || n, 1, '1 Main Street', '5551234', 'unpriced', false
     from users u, generate_series(1, $2::int) n where u.email = $1`,
    [email, count, tool._id, tool.name],
  );
  await client.end();
}
