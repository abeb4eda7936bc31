import { CENTS, CURRENCY } from '../../src/contract/limits';
import type { Caller } from '../auth/access';
import type { Deps } from '../deps';
import { retried } from '../db/retryConflicts';
import { oldestKeptPrice } from './payability';
import { PAYING_MS } from '../orders/stock';
import { attemptDraft, type Attempt } from './attemptDraft';

/**
 * The usual way to begin: nobody has tried to pay this order yet, its stock is held and its price is not old. The
 * statement waits for a concurrent change of the order, and then makes nothing here.
 */
const BEGIN = {
  name: 'begin first payment',
  text: `
with held as (
  update orders set hold_until = greatest(hold_until, least($4, coalesce(hold_last_at, hold_until))), deleting_until = null
  where id = $1 and owner_id = $2 and state = 'unpaid' and holds_stock and unit_price::bigint * quantity = $3
    and (deleting_until is null or deleting_until <= $5)
    and coalesce(priced_at, created_at) > $11
    and not exists (select from payment_attempts where order_id = $1)
  returning id
)
insert into payment_attempts (order_id, n, idempotency_key, amount_cents, currency, lease_until)
select id, $6, $7, $8, $9, $10 from held
on conflict do nothing
returning created_at as "createdAt"`,
};

/** Undefined: there is more to look at. */
export async function firstAttempt(
  { db, now }: Deps,
  user: Caller,
  id: string,
  totalPrice: number,
): Promise<Attempt | undefined> {
  const draft = attemptDraft(id, 1, totalPrice * CENTS, now());
  const { n, idempotencyKey, amountCents, leaseUntil } = draft;
  const held = [id, user.id, totalPrice, new Date(now().getTime() + PAYING_MS), now()];
  const values = [...held, n, idempotencyKey, amountCents, CURRENCY, leaseUntil, oldestKeptPrice(now())];
  const { rows } = await retried(() => db.$client.query<Pick<Attempt, 'createdAt'>>({ ...BEGIN, values }));
  return rows[0] && { ...draft, ...rows[0] };
}
