import type Stripe from 'stripe';
import { newId, unixSeconds } from './ids';
import type { IntentRow } from './intentObject';
import type { sandboxDisputes } from './schema';

export type DisputeRow = typeof sandboxDisputes.$inferSelect;

/** The content of a dispute's JSON column `body`. */
export interface DisputeDetails {
  networkReasonCode: string;
  dueBy: number;
  evidence: Record<string, string>;
  submissionCount: number;
  metadata: Record<string, string>;
  /** Empty for an inquiry. A chargeback has an entry for the withdrawal and, if it is won, one for the return. */
  transactions: Stripe.BalanceTransaction[];
}

export const disputeDetails = (row: DisputeRow) => row.body as DisputeDetails;

export const EVIDENCE_TEXTS = [
  'access_activity_log',
  'billing_address',
  'cancellation_policy_disclosure',
  'cancellation_rebuttal',
  'customer_email_address',
  'customer_name',
  'customer_purchase_ip',
  'duplicate_charge_explanation',
  'duplicate_charge_id',
  'product_description',
  'refund_policy_disclosure',
  'refund_refusal_explanation',
  'service_date',
  'shipping_address',
  'shipping_carrier',
  'shipping_date',
  'shipping_tracking_number',
  'uncategorized_text',
] as const;

const EVIDENCE_FILES = [
  'cancellation_policy',
  'customer_communication',
  'customer_signature',
  'duplicate_charge_documentation',
  'receipt',
  'refund_policy',
  'service_documentation',
  'shipping_documentation',
  'uncategorized_file',
] as const;

function evidenceOf({ evidence }: DisputeDetails): Stripe.Dispute.Evidence {
  const empty = Object.fromEntries([...EVIDENCE_TEXTS, ...EVIDENCE_FILES].map((name) => [name, null]));
  return { ...(empty as unknown as Stripe.Dispute.Evidence), ...evidence, enhanced_evidence: {} };
}

/** An inquiry comes before a possible chargeback. The bank has not withdrawn any money yet. */
const isInquiry = ({ status }: DisputeRow) => status.startsWith('warning_');
/** A chargeback that the shop has not won returns the money to the customer, so a refund would return it twice. */
export const isRefundable = (row: DisputeRow) => isInquiry(row) || row.status === 'won';

const DISPUTE_FEE_CENTS = 1500;

/** @param sign -1 when the shop loses the disputed money and the fee, 1 when it gets them back */
export function disputeTransaction(row: DisputeRow, intent: IntentRow, sign: 1 | -1, now: Date) {
  const { currency } = intent;
  const fee = -sign * DISPUTE_FEE_CENTS;
  const amount = sign * row.amount;
  const feeDetail = { amount: fee, application: null, currency, description: 'Dispute fee', type: 'stripe_fee' };
  return {
    id: newId('txn'),
    object: 'balance_transaction',
    amount,
    available_on: unixSeconds(now),
    balance_type: 'payments',
    created: unixSeconds(now),
    currency,
    description: `Chargeback ${sign < 0 ? 'withdrawal' : 'reversal'} for ${intent.chargeId}`,
    exchange_rate: null,
    fee,
    fee_details: sign < 0 ? [feeDetail] : [],
    net: amount - fee,
    reporting_category: sign < 0 ? 'dispute' : 'dispute_reversal',
    source: row.id,
    status: 'available',
    type: 'adjustment',
  } satisfies Stripe.BalanceTransaction;
}

export function disputeObject(row: DisputeRow, intent: IntentRow) {
  const details = disputeDetails(row);
  const { submissionCount } = details;
  const case_type = isInquiry(row) ? 'inquiry' : 'chargeback';
  return {
    id: row.id,
    object: 'dispute',
    amount: row.amount,
    balance_transactions: details.transactions,
    charge: intent.chargeId ?? '',
    created: unixSeconds(row.createdAt),
    currency: intent.currency,
    enhanced_eligibility_types: [],
    evidence: evidenceOf(details),
    evidence_details: {
      due_by: details.dueBy,
      enhanced_eligibility: {},
      has_evidence: Object.keys(details.evidence).length > 0,
      past_due: false,
      submission_count: submissionCount,
      submission_method: submissionCount > 0 ? 'manual' : 'not_submitted',
    },
    intended_submission_method: null,
    is_charge_refundable: isRefundable(row),
    livemode: false,
    metadata: details.metadata,
    payment_intent: intent.id,
    payment_method_details: {
      card: { brand: 'visa', case_type, network: 'visa', network_reason_code: details.networkReasonCode },
      type: 'card',
    },
    reason: row.reason,
    status: row.status,
  } satisfies Stripe.Dispute;
}
