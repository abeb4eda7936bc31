import { CENTS, CURRENCY } from '../../src/contract/limits';
import type { Bookkeeping } from '../deps';
import type { PaymentIntent } from './provider';
import { attemptOf, orderOf } from './ours';
import type { Recorded } from './recordPayment';

/**
 * The usual end: all of the money came for an order that still holds its stock. One that another changed since this
 * statement began (`version`) is left alone, since what else is read here is as old as that.
 */
const RECORD = {
  name: 'record usual payment',
  text: `
with seen as materialized (
  select id, xmin as version from orders where id = $2
), paid as (
  update orders o set state = 'paid', slot = null, hold_until = null, deleting_until = null from seen
  where o.id = seen.id and o.xmin = seen.version and o.state = 'unpaid' and o.holds_stock
    and o.unit_price::bigint * o.quantity * ${CENTS} = $4
    and not exists (select from refunds_due where intent_id = $1)
  returning o.id
), payment as (
  insert into payments (intent_id, order_id, amount_cents, currency) select $1, id, $4, $5 from paid
), closed as (
  update payment_attempts set state = 'succeeded', intent_id = $1 from paid
  where order_id = paid.id and n = $3 and (intent_id is null or intent_id = $1)
)
select from paid`,
};

/** Undefined: there is more to look at. */
export async function recordUsual({ db }: Bookkeeping, intent: PaymentIntent): Promise<Recorded | undefined> {
  const { id, amountReceived, currency } = intent;
  if (currency !== CURRENCY) return undefined;
  const values = [id, orderOf(intent), attemptOf(intent), amountReceived, currency];
  const { rowCount } = await db.$client.query({ ...RECORD, values });
  return rowCount ? { kind: 'paid', tookStock: false } : undefined;
}
