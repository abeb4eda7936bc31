import { MAX_TOTAL } from '../../src/contract/limits';
import { heldUnpaidBy, shareOf } from './stock';

/** What the statements that place an order have in common: the parameters $1 to $9, and the tool that is ordered. */

/** Must match the `order_counts` rows of migration 0003. */
const SHARDS = 32;

export type Found = 'id = $4::uuid' | 'name = $4';

export const theTool = (which: Found) => `
found as (
  select id, name, price, minimum_order_quantity as min, available_quantity as available, stocked_quantity as stocked
  from tools where ${which} limit 2
), tool as (
  select * from found where (select count(*) from found) = 1 and ($6::int is null or price = $6)
)`;

export const HELD_BY_OWNER = heldUnpaidBy('$1');

/** The order's row, in a statement that has `placed`: what is answered and kept with the idempotency key. */
export const ANSWER = `$7::jsonb || jsonb_build_object(
    'price', unit_price, 'productName', product_name, 'totalQuantity', quantity, 'paid', false, 'toolId', tool_id)`;

export const KEEP_AND_COUNT = `
kept as (
  insert into idempotency_keys (user_id, call, key, body_hash, answer)
  select $1, 'POST /order', $2, $3, answer from placed where $2::text is not null
), counted as (
  update order_counts set n = n + 1 from placed where shard = pg_backend_pid() % ${SHARDS}
)`;

/**
 * A place below the cap that none of the owner's unpaid orders has: one of the guesses, all places only if those are taken.
 * With `offset 0` each guess is looked up by itself; without it all of the owner's orders would be read and joined.
 */
export const FREE_SLOT = `coalesce(
  (select s from unnest($9::int[]) s
    where not exists (select from orders where owner_id = $1 and state = 'unpaid' and slot = s offset 0)
      and not exists (select from orders where owner_id = $1 and state = 'unpaid' and slot > $8)
    limit 1),
  (select s from generate_series(1, $8::int) s
    where not exists (select from orders where owner_id = $1 and state = 'unpaid' and slot = s)
      and (select count(*) from (select from orders where owner_id = $1 and state = 'unpaid' limit $8) mine) < $8
    order by random() limit 1))`;

const TAKEN = '(stocked - available)';
/** What the customer holds of this tool, or all that was ever taken of it where that fits: then nothing is added up. */
const HELD_AT_MOST = `case when $5::int <= ${shareOf('available', TAKEN)} then ${TAKEN} else ${HELD_BY_OWNER} end`;

/** A customer's other orders can commit after `held` was read: so all that was taken since counts as this customer's. */
const HELD_BY_NOW = '(held + greatest(available - t.available_quantity, 0))';

/**
 * Takes the stock, keeps the order, the key with its answer and the count, or none of them. Whoever loses the last
 * pieces between reading and taking places nothing, and asks again. The stock's row is locked as late as can be:
 * others wait for it. An order that does not fit is for unpricedStatement.ts: together they would be one statement that
 * takes PostgreSQL a third longer.
 *
 * A key that was used before fails to be kept, which undoes the order: then, and whenever nothing is placed, the
 * caller looks for the first answer. To look each time took PostgreSQL a tenth longer.
 */
const place = (which: Found) => `
with ${theTool(which)}, fit as (
  select tool.*, h.held, s.slot
  from tool, lateral (select ${HELD_AT_MOST} as held offset 0) h, lateral (select ${FREE_SLOT} as slot offset 0) s
  where $5::int between min and available and price::bigint * $5 <= ${MAX_TOTAL}
    and $5 <= ${shareOf('available', 'held')} and s.slot is not null
), stock as (
  update tools t set available_quantity = t.available_quantity - $5 from fit
  where t.id = fit.id and t.available_quantity >= $5 and t.minimum_order_quantity <= $5 and t.price = fit.price
    and $5 <= ${shareOf('t.available_quantity', HELD_BY_NOW)}
  returning t.id, t.name, t.price, fit.slot
), placed as (
  insert into orders (id, owner_id, email, client, tool_id, product_name, unit_price, quantity, address, phone, state,
    holds_stock, hold_until, hold_last_at, slot)
  select ($7::jsonb->>'_id')::uuid, $1, $7::jsonb->>'email', $7::jsonb->>'client', stock.id, stock.name, stock.price, $5,
    $7::jsonb->>'address', $7::jsonb->>'phone', 'unpaid', true,
    case when has_run_out then $12::timestamptz else $10::timestamptz end,
    case when has_run_out then $12::timestamptz else $11::timestamptz end, stock.slot
  from stock, lateral (select exists (
    select from orders where owner_id = $1 and tool_id = stock.id and hold_ended_at > $13) as has_run_out offset 0) ended
  returning ${ANSWER} as answer
), ${KEEP_AND_COUNT}
select (select answer from placed) as placed, (select count(*)::int from found) as matches,
  (select price from found limit 1) as price, exists (select from fit) as fits`;

export const PLACE_BY_ID = { name: 'place order by id', text: place('id = $4::uuid') };
export const PLACE_BY_NAME = { name: 'place order by name', text: place('name = $4') };
