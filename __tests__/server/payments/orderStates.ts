import { randomUUID } from 'node:crypto';
import { sql, type SQL } from 'drizzle-orm';
import type { PaymentTestKit } from '../../support/payments';

/** A fixed time, so that the single statement and the transaction write equal timestamps. */
export const NOW = new Date();
export const TOTAL_DOLLARS = 14;
export const TOTAL_CENTS = 100 * TOTAL_DOLLARS;

export interface OrderUnderTest {
  order: string;
  tool: string;
  owner: string;
  intent: string;
}
/** SQL that puts an unpaid order into a given state. The order holds 2 of 100 pieces. */
export type OrderStateSetup = (target: OrderUnderTest) => SQL[];

export const minutesFromNow = (minutes: number) => sql`${new Date(NOW.getTime() + minutes * 60_000)}::timestamptz`;
export const daysFromNow = (n: number) => minutesFromNow(n * 24 * 60);
export const updateOrder = ({ order }: OrderUnderTest, change: SQL) =>
  sql`update orders set ${change} where id = ${order}`;
export const endHold = (target: OrderUnderTest, change = sql`deleting_until = null`) => [
  updateOrder(target, sql`holds_stock = false, hold_until = null, ${change}`),
  sql`update tools set available_quantity = available_quantity + 2 where id = ${target.tool}`,
];
export const sellOut = ({ tool }: OrderUnderTest) =>
  sql`update tools set available_quantity = 0, stocked_quantity = 0 where id = ${tool}`;
export const markPaid = (target: OrderUnderTest) =>
  updateOrder(target, sql`state = 'paid', slot = null, hold_until = null`);
export const setPrice = ({ tool }: OrderUnderTest, price: number) =>
  sql`update tools set price = ${price} where id = ${tool}`;
export const makePriceOld = (target: OrderUnderTest) => updateOrder(target, sql`priced_at = ${daysFromNow(-8)}`);
export const insertAttempt = (
  { order, intent }: OrderUnderTest,
  values: { state?: string; isIntentSaved?: boolean; leaseMinutes?: number; refusedUntil?: SQL },
) =>
  sql`insert into payment_attempts
      (order_id, n, idempotency_key, intent_id, amount_cents, currency, state, lease_until, refused_until)
    values (${order}, 1, ${randomUUID()}, ${values.isIntentSaved ? intent : null}, ${TOTAL_CENTS}, 'usd', ${values.state ?? 'open'},
      ${minutesFromNow(values.leaseMinutes ?? 1)}, ${values.refusedUntil ?? null})`;
export const insertPayment = ({ order, intent }: OrderUnderTest, outcome: string) =>
  sql`insert into payments (intent_id, order_id, outcome, amount_cents, currency, reason)
    values (${intent}, ${order}, ${outcome}, ${TOTAL_CENTS}, 'usd', ${outcome === 'paid' ? null : 'a test'})`;

/** Reads everything that starting or recording a payment may write, without ids and PostgreSQL's own timestamps. */
export async function rowsOf(
  kit: PaymentTestKit,
  { order, tool, intent }: OrderUnderTest,
): Promise<Record<string, unknown>> {
  const [row] = await kit.queryRows(sql`
    select to_jsonb(o) - array['id', 'position', 'owner_id', 'email', 'tool_id', 'product_name', 'created_at', 'slot']
        || jsonb_build_object('has_slot', slot is not null) as "order",
      (select available_quantity from tools where id = ${tool}) as available,
      (select jsonb_agg(to_jsonb(a) - array['order_id', 'idempotency_key', 'intent_id', 'created_at']
        || jsonb_build_object('is_saved', intent_id = ${intent}) order by n) from payment_attempts a
        where order_id = o.id) as attempts,
      (select jsonb_agg(jsonb_build_array(intent_id = ${intent}, outcome, amount_cents, currency, reason))
        from payments p where order_id = o.id) as payments
    from orders o where id = ${order}`);
  return row!;
}
