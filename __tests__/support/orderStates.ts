import { randomUUID } from 'node:crypto';
import { sql, type SQL } from 'drizzle-orm';
import type { PaymentTestKit } from './payments';

/** It stands still, so that both ways write the same times. */
export const NOW = new Date();
export const TOTAL = 14;
export const CENTS = 100 * TOTAL;

export interface Subject {
  order: string;
  tool: string;
  owner: string;
  intent: string;
}
/** Statements that bring an unpaid order, which holds two pieces of a hundred, into a state. */
export type Change = (subject: Subject) => SQL[];

export const after = (minutes: number) => sql`${new Date(NOW.getTime() + minutes * 60_000)}::timestamptz`;
export const days = (n: number) => after(n * 24 * 60);
export const set = ({ order }: Subject, change: SQL) => sql`update orders set ${change} where id = ${order}`;
export const ended = (subject: Subject, change = sql`deleting_until = null`) => [
  set(subject, sql`holds_stock = false, hold_until = null, ${change}`),
  sql`update tools set available_quantity = available_quantity + 2 where id = ${subject.tool}`,
];
export const soldOut = ({ tool }: Subject) =>
  sql`update tools set available_quantity = 0, stocked_quantity = 0 where id = ${tool}`;
export const paid = (subject: Subject) => set(subject, sql`state = 'paid', slot = null, hold_until = null`);
export const priceOf = ({ tool }: Subject, price: number) => sql`update tools set price = ${price} where id = ${tool}`;
export const isOld = (subject: Subject) => set(subject, sql`priced_at = ${days(-8)}`);
export const attempt = (
  { order, intent }: Subject,
  values: { state?: string; isSaved?: boolean; lease?: number; refused?: SQL },
) =>
  sql`insert into payment_attempts
      (order_id, n, idempotency_key, intent_id, amount_cents, currency, state, lease_until, refused_until)
    values (${order}, 1, ${randomUUID()}, ${values.isSaved ? intent : null}, ${CENTS}, 'usd', ${values.state ?? 'open'},
      ${after(values.lease ?? 1)}, ${values.refused ?? null})`;
export const recorded = ({ order, intent }: Subject, outcome: string) =>
  sql`insert into payments (intent_id, order_id, outcome, amount_cents, currency, reason)
    values (${intent}, ${order}, ${outcome}, ${CENTS}, 'usd', ${outcome === 'paid' ? null : 'a test'})`;

/** All that either way may write. Ids differ, and so do times that PostgreSQL sets itself. */
export async function rowsOf(desk: PaymentTestKit, { order, tool, intent }: Subject): Promise<Record<string, unknown>> {
  const [row] = await desk.rows(sql`
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
