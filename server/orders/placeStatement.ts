import { MAX_TOTAL } from '../../src/contract/limits';

/** As many as the migration made. */
const SHARDS = 32;

/**
 * A place below the cap that none of the owner's unpaid orders has: one of the guesses, all places only if those are taken.
 * With `offset 0` each guess is looked up by itself; without it all of the owner's orders would be read and joined.
 */
const FREE_SLOT = `coalesce(
  (select s from unnest($10::int[]) s
    where not exists (select from orders where owner_id = $1 and state = 'unpaid' and slot = s offset 0)
      and not exists (select from orders where owner_id = $1 and state = 'unpaid' and slot > $9)
    limit 1),
  (select s from generate_series(1, $9::int) s
    where not exists (select from orders where owner_id = $1 and state = 'unpaid' and slot = s)
      and (select count(*) from (select from orders where owner_id = $1 and state = 'unpaid' limit $9) mine) < $9
    order by random() limit 1))`;

/**
 * Takes the stock, keeps the order, the key with its answer and the count, or none of them. Whoever loses the last
 * pieces between reading and taking places nothing, and asks again. The stock's row is locked as late as can be:
 * others wait for it.
 */
const place = (found: string) => `
with replay as (
  select body_hash, answer from idempotency_keys where user_id = $1 and call = 'POST /order' and key = $2
), found as (
  select id, name, price, minimum_order_quantity as min, available_quantity as available
  from tools where ${found} and not exists (select from replay) limit 2
), tool as (
  select * from found where (select count(*) from found) = 1 and ($6::int is null or price = $6)
), fit as (
  select tool.id, tool.price, s.slot from tool, lateral (select ${FREE_SLOT} as slot offset 0) s
  where $5::int between tool.min and tool.available and tool.price::bigint * $5 <= ${MAX_TOTAL} and s.slot is not null
), stock as (
  update tools t set available_quantity = t.available_quantity - $5 from fit
  where t.id = fit.id and t.available_quantity >= $5 and t.minimum_order_quantity <= $5 and t.price = fit.price
  returning t.price, fit.slot
), placed as (
  insert into orders (id, owner_id, email, client, tool_id, product_name, unit_price, quantity, address, phone, state,
    holds_stock, hold_until, slot)
  select ($7::jsonb->>'_id')::uuid, $1, $7::jsonb->>'email', $7::jsonb->>'client', tool.id, tool.name, stock.price, $5,
    $7::jsonb->>'address', $7::jsonb->>'phone', case when stock.price is null then 'unpriced' else 'unpaid' end,
    stock.price is not null, case when stock.price is not null then $8::timestamptz end, stock.slot
  from tool left join stock on true
  where (select count(*) from fit) = (select count(*) from stock)
  returning $7::jsonb || jsonb_build_object(
    'price', unit_price, 'productName', product_name, 'totalQuantity', quantity, 'paid', false, 'toolId', tool_id
  ) as answer
), kept as (
  insert into idempotency_keys (user_id, call, key, body_hash, answer)
  select $1, 'POST /order', $2, $3, answer from placed where $2::text is not null
), counted as (
  update order_counts set n = n + 1 from placed where shard = pg_backend_pid() % ${SHARDS}
)
select (select answer from placed) as placed, (select answer from replay) as replayed,
  (select body_hash from replay) as "replayedHash", (select count(*)::int from found) as matches,
  (select price from found limit 1) as price`;

export const PLACE_BY_ID = { name: 'place order by id', text: place('id = $4::uuid') };
export const PLACE_BY_NAME = { name: 'place order by name', text: place('name = $4') };
