import type Stripe from 'stripe';
import { unixSeconds } from './ids';
import type { IntentRow } from './intentObject';
import type { sandboxRefunds } from './schema';

export type RefundRow = typeof sandboxRefunds.$inferSelect;

/** Includes pending refunds. A failed refund does not count, because its money came back to the shop. */
export const refundedCents = (refunds: RefundRow[]) =>
  refunds.reduce((sum, { amount, status }) => (status === 'failed' ? sum : sum + amount), 0);

export function refundObject(row: RefundRow, intent: IntentRow) {
  const { id, status, failureReason } = row;
  const card = {
    reference_status: 'pending',
    reference_type: 'acquirer_reference_number',
    type: status === 'pending' ? 'pending' : 'refund',
  } as const;
  return {
    id,
    object: 'refund',
    amount: row.amount,
    balance_transaction: status === 'pending' ? null : `txn_${id.slice(3)}`,
    charge: intent.chargeId,
    created: unixSeconds(row.createdAt),
    currency: intent.currency,
    customer: null,
    customer_account: null,
    destination_details: { card, type: 'card' },
    ...(failureReason && { failure_balance_transaction: `txn_${id.slice(4)}f`, failure_reason: failureReason }),
    metadata: row.metadata as Stripe.Metadata,
    payment_intent: intent.id,
    payment_method: intent.paymentMethodId,
    ...(status === 'pending' && { pending_reason: 'processing' as const }),
    reason: row.reason,
    receipt_number: null,
    source_transfer_reversal: null,
    status,
    transfer_reversal: null,
  } satisfies Stripe.Refund;
}
