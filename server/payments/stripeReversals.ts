import type { Reversal } from './provider';

type Named = string | { id?: unknown } | null | undefined;
interface Reported {
  object?: string;
  id?: unknown;
  payment_intent?: Named;
  amount?: unknown;
  amount_refunded?: unknown;
  status?: unknown;
  refunds?: { data?: Reported[] } | null;
}

const idOf = (named: Named): unknown => (named && typeof named === 'object' ? named.id : named);

/** What is not Stripe's shape is no reversal. */
function reversalOf(kind: Reversal['kind'], { id, payment_intent, amount, status }: Reported): Reversal[] {
  const intentId = idOf(payment_intent);
  const isWhole = typeof amount === 'number' && Number.isSafeInteger(amount) && amount > 0;
  if (typeof id !== 'string' || typeof intentId !== 'string' || !isWhole) return [];
  return [{ id, kind, intentId, amountCents: amount, status: typeof status === 'string' ? status : 'pending' }];
}

/** The charge itself stands for all of its refunds, since most API versions do not list them. */
function ofCharge(charge: Reported): Reversal[] {
  const { payment_intent, amount_refunded, refunds } = charge;
  const listed = Array.isArray(refunds?.data) ? refunds.data : [];
  return [
    ...reversalOf('refund', { ...charge, amount: amount_refunded, status: 'succeeded' }),
    ...listed.flatMap((refund) => reversalOf('refund', { ...refund, payment_intent })),
  ];
}

/** The refunds and disputes that the object of an event reports. */
export function reversalsOf(reported: Reported): Reversal[] {
  if (reported.object === 'refund') return reversalOf('refund', reported);
  if (reported.object === 'dispute') return reversalOf('dispute', reported);
  return reported.object === 'charge' ? ofCharge(reported) : [];
}
