import { sql } from 'drizzle-orm';
import { refunds } from '../db/schema';

/** SQL over a row of `refunds`: whether this shop still has to make the refund, or to ask the provider about it. */
export const isUnfinishedRefund = sql`state in ('requested', 'pending') and not exists (
  select from payments p where p.intent_id = ${refunds.paymentId} and p.of_original)`;
/** SQL over a row `p` of `payments`: the cents that its recorded refunds have returned or are returning. */
export const recordedRefundCents = sql`(select coalesce(sum(recorded.amount_cents), 0) from refunds recorded
  where recorded.payment_id = p.intent_id and recorded.state in ('pending', 'succeeded'))`;
/**
 * SQL over a payment `p` with its order `o`: whether a refund of it failed and nothing has replaced it. A refund that an
 * operator paid back in another way has not failed anymore.
 */
export const hasFailedRefund = sql`(not p.of_original and p.returned_at is null and case p.outcome when 'paid' then o.refund_failed
  else not exists (select from refunds open where open.payment_id = p.intent_id and open.state in ('requested', 'pending')) end)`;
