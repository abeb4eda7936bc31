import { MAX_TOTAL } from '../../src/contract/limits';
import { ANSWER, HELD_BY_OWNER, IS_SMALL, KEEP_AND_COUNT, theTool, type Found } from './placeParts';
import { FREE_SLOT } from './slots';

/**
 * What the customer holds of this tool, or all that was ever taken of it where that is little enough: then nothing has
 * to be added up. `held + 2 * quantity <= available` says that held and new together are at most half of the stock.
 */
const HELD_AT_MOST = `case when stocked - available + 2 * $5::int <= available then stocked - available
  else ${HELD_BY_OWNER} end`;

/**
 * Takes the stock, keeps the order, the key with its answer and the count, or none of them. Whoever loses the last
 * pieces between reading and taking places nothing, and asks again. The stock's row is locked as late as can be:
 * others wait for it. An order that does not fit is for unpricedStatement.ts: together they would be one statement that
 * takes PostgreSQL a third longer.
 *
 * A key that was used before fails to be kept, which undoes the order: then, and whenever nothing is placed, the
 * caller looks for the first answer. To look each time took PostgreSQL a tenth longer.
 *
 * A customer's other orders can commit between reading `held` and taking the stock. So all that was taken meanwhile
 * counts as this customer's, unless the tool's row is still the one that was read.
 */
const place = (which: Found) => `
with ${theTool(which)}, fit as (
  select tool.*, h.held, s.slot
  from tool, lateral (select ${HELD_AT_MOST} as held offset 0) h, lateral (select ${FREE_SLOT} as slot offset 0) s
  where $5::int between min and available and price::bigint * $5 <= ${MAX_TOTAL}
    and (held + 2 * $5 <= available or ${IS_SMALL}) and s.slot is not null
), stock as (
  update tools t set available_quantity = t.available_quantity - $5 from fit
  where t.id = fit.id and t.available_quantity >= $5 and t.minimum_order_quantity <= $5 and t.price = fit.price
    and (t.xmin = fit.version or ${IS_SMALL}
      or held + greatest(available - t.available_quantity, 0) + 2 * $5 <= t.available_quantity)
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
