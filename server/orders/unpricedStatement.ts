import { MAX_TOTAL, MAX_UNPRICED_ORDERS } from '../../src/contract/limits';
import {
  ORDER_JSON,
  FREE_SLOT,
  HELD_BY_OWNER,
  STORE_KEY_COUNT_AND_MAIL,
  selectTool,
  type ToolCondition,
} from './placeOrderStatement';
import { reservablePiecesSql } from './stock';

const fromUnpricedOrders = (condition: string) => `from orders where owner_id = $1 and state = 'unpriced' ${condition}`;

/**
 * SQL: a free slot among the owner's unpriced orders. If two orders take the same slot at the same time, the database
 * refuses one of them. Orders stored by earlier versions have no slot, so each of them makes the range of slots one
 * smaller.
 */
const FREE_UNPRICED_SLOT = `
  (select s from generate_series(1, ${MAX_UNPRICED_ORDERS} -
      (select count(*)::int
        from (select ${fromUnpricedOrders('and slot is null')} limit ${MAX_UNPRICED_ORDERS}) without_slot)) s
    where not exists (select ${fromUnpricedOrders('and slot = s')} offset 0)
      and (select count(*) from (select ${fromUnpricedOrders('')} limit ${MAX_UNPRICED_ORDERS}) own_unpriced)
        < ${MAX_UNPRICED_ORDERS}
    order by random() limit 1)`;

/**
 * SQL: the reason why an order has no price, or null if it can have one. Reasons that apply to every quantity come
 * before those that another quantity would avoid.
 */
const REASON = `case
  when available < min then 'range'
  when is_full then 'limit'
  when share < min then 'share'
  when chargeable < min then 'total'
  when $5::int not between min and available then 'range'
  when $5::int > chargeable then 'total'
  when $5::int > share then 'share' end`;

/**
 * Stores an order without a price and without stock. Stores nothing if the order can now have a price, or if its owner
 * has reached the limit of unpriced orders.
 */
const placeUnpricedSql = (condition: ToolCondition) => `
with ${selectTool(condition)}, unpriceable as (
  select ${FREE_UNPRICED_SLOT} as slot, jsonb_build_object('reason', reason, 'min', min,
    'max', greatest(least(available, share, chargeable), 0)) as details
  from tool, lateral (select ${HELD_BY_OWNER} as held, ${FREE_SLOT} is null as is_full offset 0) held_stock,
    lateral (select ${reservablePiecesSql('available', 'held')} as share,
      ${MAX_TOTAL} / price as chargeable) maximums,
    lateral (select ${REASON} as reason offset 0) reasons
  where reason is not null
), placed as (
  insert into orders (id, owner_id, email, client, tool_id, product_name, quantity, address, phone, state, holds_stock,
    slot)
  select ($7::jsonb->>'_id')::uuid, $1, $7::jsonb->>'email', $7::jsonb->>'client', tool.id, tool.name, $5,
    $7::jsonb->>'address', $7::jsonb->>'phone', 'unpriced', false, unpriceable.slot
  from tool, unpriceable where unpriceable.slot is not null
  returning ${ORDER_JSON} || (select jsonb_build_object('unpriced', details) from unpriceable) as answer
), ${STORE_KEY_COUNT_AND_MAIL}
select (select answer from placed) as placed, (select slot is null from unpriceable) as "isFull"`;

export const PLACE_UNPRICED_BY_ID = { name: 'place unpriced order by id', text: placeUnpricedSql('id = $4::uuid') };
export const PLACE_UNPRICED_BY_NAME = { name: 'place unpriced order by name', text: placeUnpricedSql('name = $4') };
