import type { Reversal } from './provider';

type Reference = string | { id?: unknown } | null | undefined;
interface StripeObject {
  object?: string;
  id?: unknown;
  payment_intent?: Reference;
  amount?: unknown;
  amount_refunded?: unknown;
  status?: unknown;
  refunds?: { data?: StripeObject[] } | null;
}

const idOf = (reference: Reference): unknown => (reference && typeof reference === 'object' ? reference.id : reference);

/** @returns an empty list if the object does not have the expected fields */
function reversalOf(kind: Reversal['kind'], { id, payment_intent, amount, status }: StripeObject): Reversal[] {
  const intentId = idOf(payment_intent);
  const isValidAmount = typeof amount === 'number' && Number.isSafeInteger(amount) && amount > 0;
  if (typeof id !== 'string' || typeof intentId !== 'string' || !isValidAmount) return [];
  return [{ id, kind, intentId, amountCents: amount, status: typeof status === 'string' ? status : 'pending' }];
}

/**
 * In most API versions, a charge does not list its refunds. So the charge itself also counts as a refund, with all
 * refunded money.
 */
function reversalsOfCharge(charge: StripeObject): Reversal[] {
  const { payment_intent, amount_refunded, refunds } = charge;
  const listed = Array.isArray(refunds?.data) ? refunds.data : [];
  return [
    ...reversalOf('refund', { ...charge, amount: amount_refunded, status: 'succeeded' }),
    ...listed.flatMap((refund) => reversalOf('refund', { ...refund, payment_intent })),
  ];
}

/** @returns the refunds and disputes that an event's object contains */
export function reversalsOf(reported: StripeObject): Reversal[] {
  if (reported.object === 'refund') return reversalOf('refund', reported);
  if (reported.object === 'dispute') return reversalOf('dispute', reported);
  return reported.object === 'charge' ? reversalsOfCharge(reported) : [];
}
