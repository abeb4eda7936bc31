import { MAX_TOTAL, MAX_UNPRICED_ORDERS } from '../../src/contract/limits';
import { ANSWER, FREE_SLOT, HELD_BY_OWNER, KEEP_AND_COUNT, theTool, type Found } from './placeOrderStatement';
import { shareOf } from './stock';

const unpriced = (more: string) => `from orders where owner_id = $1 and state = 'unpriced' ${more}`;

/**
 * The same among the owner's unpriced orders. Orders of versions without such slots have none, so each of them takes
 * one from the end. Then two orders at once cannot both get the last place.
 */
const FREE_UNPRICED_SLOT = `
  (select s from generate_series(1, ${MAX_UNPRICED_ORDERS} -
      (select count(*)::int from (select ${unpriced('and slot is null')} limit ${MAX_UNPRICED_ORDERS}) old)) s
    where not exists (select ${unpriced('and slot = s')} offset 0)
      and (select count(*) from (select ${unpriced('')} limit ${MAX_UNPRICED_ORDERS}) mine) < ${MAX_UNPRICED_ORDERS}
    order by random() limit 1)`;

/** Why an order has no price, or null when it can have one. Reasons that no other quantity would change come first. */
const REASON = `case
  when available < min then 'range'
  when is_full then 'limit'
  when share < min then 'share'
  when chargeable < min then 'total'
  when $5::int not between min and available then 'range'
  when $5::int > chargeable then 'total'
  when $5::int > share then 'share' end`;

/**
 * Keeps an order that did not fit, without a price and without stock. It places nothing when the order fits by now, or
 * when its owner has as many such orders as one may have.
 */
const place = (which: Found) => `
with ${theTool(which)}, unfit as (
  select ${FREE_UNPRICED_SLOT} as slot, jsonb_build_object('reason', reason, 'min', min,
    'max', greatest(least(available, share, chargeable), 0)) as why
  from tool, lateral (select ${HELD_BY_OWNER} as held, ${FREE_SLOT} is null as is_full offset 0) h,
    lateral (select ${shareOf('available', 'held')} as share,
      ${MAX_TOTAL} / price as chargeable) most,
    lateral (select ${REASON} as reason offset 0) r
  where reason is not null
), placed as (
  insert into orders (id, owner_id, email, client, tool_id, product_name, quantity, address, phone, state, holds_stock,
    slot)
  select ($7::jsonb->>'_id')::uuid, $1, $7::jsonb->>'email', $7::jsonb->>'client', tool.id, tool.name, $5,
    $7::jsonb->>'address', $7::jsonb->>'phone', 'unpriced', false, unfit.slot
  from tool, unfit where unfit.slot is not null
  returning ${ANSWER} || (select jsonb_build_object('unpriced', why) from unfit) as answer
), ${KEEP_AND_COUNT}
select (select answer from placed) as placed, (select slot is null from unfit) as "isFull"`;

export const PLACE_UNPRICED_BY_ID = { name: 'place unpriced order by id', text: place('id = $4::uuid') };
export const PLACE_UNPRICED_BY_NAME = { name: 'place unpriced order by name', text: place('name = $4') };
