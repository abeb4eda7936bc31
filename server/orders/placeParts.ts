/** What the statements that place an order have in common: the parameters $1 to $9, and the tool that is ordered. */

/** Must match the `order_counts` rows of migration 0003. */
const SHARDS = 32;

export type Found = 'id = $4::uuid' | 'name = $4';

export const theTool = (which: Found) => `
found as (
  select id, name, price, minimum_order_quantity as min, available_quantity as available, stocked_quantity as stocked,
    xmin as version
  from tools where ${which} limit 2
), tool as (
  select * from found where (select count(*) from found) = 1 and ($6::int is null or price = $6)
)`;

/**
 * What the customer's unpaid orders hold of this tool. As a filter of the sum, `tool_id` cannot make PostgreSQL look
 * through all orders of the tool.
 */
export const HELD_BY_OWNER = `
  (select coalesce(sum(quantity) filter (where tool_id = tool.id and holds_stock), 0)::int
    from orders where owner_id = $1 and state = 'unpaid')`;

/** Small stock may go to one customer. */
export const IS_SMALL = 'available + held < 4 * min';

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
