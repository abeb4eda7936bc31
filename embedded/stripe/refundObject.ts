import type Stripe from 'stripe';
import { unixSeconds } from './ids';
import type { IntentRow } from './intentObject';
import type { sandboxRefunds } from './schema';

export type RefundRow = typeof sandboxRefunds.$inferSelect;

/** Includes pending refunds. A failed refund does not count, because its money came back to the shop. */
export const refundedCents = (refunds: RefundRow[]) =>
  refunds.reduce((sum, { amount, status }) => (status === 'failed' ? sum : sum + amount), 0);

export const refundObject = ({ id, amount, status, ...row }: RefundRow, intent: IntentRow) => ({
  id,
  object: 'refund',
  amount,
  charge: intent.chargeId,
  created: unixSeconds(row.createdAt),
  currency: intent.currency,
  ...(row.failureReason && { failure_reason: row.failureReason }),
  metadata: row.metadata as Stripe.Metadata,
  payment_intent: intent.id,
  status,
});
