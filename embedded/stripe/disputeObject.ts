import { unixSeconds } from './ids';
import type { IntentRow } from './intentObject';
import type { sandboxDisputes } from './schema';

export type DisputeRow = typeof sandboxDisputes.$inferSelect;

/** A dispute that the shop has not won returns the money to the customer, so a refund would return it twice. */
export const isRefundable = ({ status }: DisputeRow) => status === 'won';

export const disputeObject = (row: DisputeRow, intent: IntentRow) => ({
  id: row.id,
  object: 'dispute',
  amount: row.amount,
  charge: intent.chargeId,
  created: unixSeconds(row.createdAt),
  currency: intent.currency,
  livemode: false,
  payment_intent: intent.id,
  reason: row.reason,
  status: row.status,
});
