import { MAX_UNPRICED_ORDERS } from '../../src/contract/limits';

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

const unpriced = (more: string) => `from orders where owner_id = $1 and state = 'unpriced' ${more}`;

/**
 * The same among the owner's unpriced orders. Orders of versions without such slots have none, so each of them takes
 * one from the end. Then two orders at once cannot both get the last place.
 */
export const FREE_UNPRICED_SLOT = `
  (select s from generate_series(1, ${MAX_UNPRICED_ORDERS} -
      (select count(*)::int from (select ${unpriced('and slot is null')} limit ${MAX_UNPRICED_ORDERS}) old)) s
    where not exists (select ${unpriced('and slot = s')} offset 0)
      and (select count(*) from (select ${unpriced('')} limit ${MAX_UNPRICED_ORDERS}) mine) < ${MAX_UNPRICED_ORDERS}
    order by random() limit 1)`;
