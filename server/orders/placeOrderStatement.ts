import { MAX_TOTAL } from '../../src/contract/limits';
import { heldPiecesSql, reservablePiecesSql } from './stock';

/**
 * This file and `unpricedStatement.ts` each contain a statement that stores an order. The parts that this file exports
 * are used in both statements, so $1 to $10 have the same meaning in both.
 */

/** Must match the `order_counts` rows of migration 0003. */
const COUNT_SHARDS = 32;

export type ToolCondition = 'id = $4::uuid' | 'name = $4';

/**
 * Two CTEs. `matching_tools` has the tools that meet the condition, at most two. `tool` has a row only if exactly one
 * matches, is on sale and has the price that the customer saw.
 */
export const selectTool = (condition: ToolCondition) => `
matching_tools as (
  select id, name, price, minimum_order_quantity as min, available_quantity as available, stocked_quantity as stocked,
    on_sale
  from tools where ${condition} limit 2
), tool as (
  select * from matching_tools
  where (select count(*) from matching_tools) = 1 and on_sale and ($6::int is null or price = $6)
)`;

export const HELD_BY_OWNER = heldPiecesSql('$1');

/** The response to a new order, built from its row in `orders`. It is also stored with the idempotency key. */
export const ORDER_JSON = `$7::jsonb || jsonb_build_object(
    'price', unit_price, 'productName', product_name, 'totalQuantity', quantity, 'paid', false, 'toolId', tool_id,
    'status', state, 'placedAt', created_at, 'paidAt', null, 'heldUntil', hold_until, 'dispute', null)`;

export const STORE_KEY_COUNT_AND_MAIL = `
stored_key as (
  insert into idempotency_keys (user_id, call, key, body_hash, answer)
  select $1, 'POST /order', $2, $3, answer from placed where $2::text is not null
), updated_count as (
  update order_counts set n = n + 1 from placed where shard = pg_backend_pid() % ${COUNT_SHARDS}
), queued_mail as (
  insert into mails (kind, about, order_id, state)
  select 'order received', answer->>'_id', (answer->>'_id')::uuid, $10 from placed
)`;

/**
 * Finds a slot that is not taken by another of the owner's unpaid orders. There are as many slots as a customer may
 * have unpaid orders. Tries the random guesses first, and all slots only if every guess is taken. `offset 0` makes
 * PostgreSQL look up each guess in the index, instead of reading all of the owner's orders. Orders at a price offered
 * by an admin have no slot and do not count.
 */
export const FREE_SLOT = `coalesce(
  (select s from unnest($9::int[]) s
    where not exists (select from orders where owner_id = $1 and state = 'unpaid' and slot = s offset 0)
      and not exists (select from orders where owner_id = $1 and state = 'unpaid' and slot > $8)
    limit 1),
  (select s from generate_series(1, $8::int) s
    where not exists (select from orders where owner_id = $1 and state = 'unpaid' and slot = s)
      and (select count(*) from (
        select from orders where owner_id = $1 and state = 'unpaid' and slot is not null limit $8) own_unpaid) < $8
    order by random() limit 1))`;

const TAKEN_STOCK = '(stocked - available)';
/**
 * An upper bound for how many pieces of this tool the customer holds. The number of all held and sold pieces is such a
 * bound. If the order is allowed even with that bound, the customer's orders need not be read. Otherwise they are read,
 * and the bound is the exact number.
 */
const MAX_HELD = `case when $5::int <= ${reservablePiecesSql('available', TAKEN_STOCK)}
    then ${TAKEN_STOCK} else ${HELD_BY_OWNER} end`;

/**
 * The same bound at the moment when the stock is taken. The customer may have placed other orders since `held` was
 * read, so all pieces that anyone has taken since then are added.
 */
const MAX_HELD_NOW = '(held + greatest(available - t.available_quantity, 0))';

/**
 * Takes the stock and stores the order, the idempotency key with its response, the count and the email, or does
 * nothing. If the last pieces are sold after the stock was read, nothing is placed and the caller tries again. The
 * tool's row is locked as late as possible, because other orders of the tool wait for it. Orders that can't have a
 * price have a statement of their own, in `unpricedStatement.ts`, because PostgreSQL took a third longer for a
 * statement that does both.
 *
 * If the idempotency key is already used, the primary key is violated and the order is rolled back. Then, and whenever
 * nothing was placed, the caller looks up the first response. Looking it up before each order took PostgreSQL a tenth
 * longer.
 */
const placeSql = (condition: ToolCondition) => `
with ${selectTool(condition)}, priceable as (
  select tool.*, held_stock.held, free_slot.slot
  from tool, lateral (select ${MAX_HELD} as held offset 0) held_stock,
    lateral (select ${FREE_SLOT} as slot offset 0) free_slot
  where $5::int between min and available and price::bigint * $5 <= ${MAX_TOTAL}
    and $5 <= ${reservablePiecesSql('available', 'held')} and free_slot.slot is not null
), taken_stock as (
  update tools t set available_quantity = t.available_quantity - $5 from priceable
  where t.id = priceable.id and t.available_quantity >= $5 and t.minimum_order_quantity <= $5
    and t.price = priceable.price and t.on_sale and $5 <= ${reservablePiecesSql('t.available_quantity', MAX_HELD_NOW)}
  returning t.id, t.name, t.price, priceable.slot
), placed as (
  insert into orders (id, owner_id, email, client, tool_id, product_name, unit_price, quantity, address, phone, state,
    holds_stock, hold_until, hold_last_at, slot)
  select ($7::jsonb->>'_id')::uuid, $1, $7::jsonb->>'email', $7::jsonb->>'client', taken_stock.id,
    taken_stock.name, taken_stock.price, $5, $7::jsonb->>'address', $7::jsonb->>'phone', 'unpaid', true,
    case when has_run_out then $13::timestamptz else $11::timestamptz end,
    case when has_run_out then $13::timestamptz else $12::timestamptz end, taken_stock.slot
  from taken_stock, lateral (select exists (
    select from orders where owner_id = $1 and tool_id = taken_stock.id and hold_ended_at > $14) as has_run_out
    offset 0) earlier_holds
  returning ${ORDER_JSON} as answer
), ${STORE_KEY_COUNT_AND_MAIL}
select (select answer from placed) as placed, (select count(*)::int from matching_tools) as matches,
  (select price from matching_tools limit 1) as price, exists (select from priceable) as "canBePriced",
  (select on_sale from matching_tools limit 1) as "isOnSale"`;

export const PLACE_BY_TOOL_ID = { name: 'place order by tool id', text: placeSql('id = $4::uuid') };
export const PLACE_BY_TOOL_NAME = { name: 'place order by tool name', text: placeSql('name = $4') };
