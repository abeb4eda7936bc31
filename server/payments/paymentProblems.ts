import { MAX_TOTAL } from '../../src/contract/limits';
import { formatDollars } from '../../src/contract/formatWithCommas';
import { PAGE_MESSAGES } from '../../src/contract/pageMessages';
import { defineProblem, ProblemError } from '../http/problems';

export const paymentAlreadyUsed = defineProblem(
  409,
  'payment_already_used',
  'This payment belongs to a different order.',
);
export const badSignature = defineProblem(
  400,
  'bad_signature',
  'The Stripe-Signature header is missing or invalid. Check STRIPE_WEBHOOK_SECRET.',
);
export const unknownPayment = defineProblem(422, 'validation', 'Payment not found.', {
  errors: [{ field: 'transactionId', message: 'is not a payment of this shop.' }],
});
export const orderIdMismatch = defineProblem(422, 'validation', 'The order ids in body and URL differ.', {
  errors: [{ field: 'order', message: 'must be the order id in the URL.' }],
});
/** Another request of the customer was still starting or ending a payment of this order after five seconds. */
export const paymentStarting = defineProblem(
  503,
  'payment_in_progress',
  'Another tab or device is using this order right now. Nothing was changed. Try again in a moment.',
  { retryAfter: 5 },
);
export const noOrderOfThisTotal = defineProblem(422, 'no_such_order', 'You have no unpaid order with this total.');
export const paymentNotComplete = (status: string) =>
  new ProblemError(
    402,
    'payment_not_complete',
    "The payment isn't complete yet, so the order is still unpaid. Try again in a moment.",
    { meta: { status } },
  );

export const totalMismatch = (total: number): ProblemError =>
  new ProblemError(
    409,
    'total_mismatch',
    `The total of this order is now ${formatDollars(total)}. Review it before you pay.`,
    { meta: { total } },
  );

export const priceChangedSinceOrder = (price: number): ProblemError =>
  new ProblemError(
    409,
    'price_changed',
    `The price is now ${formatDollars(price)} each. Review the new total before you pay.`,
    { meta: { price } },
  );

export const priceTooHigh = (price: number, total: number): ProblemError =>
  new ProblemError(
    409,
    'price_changed',
    `The price is now ${formatDollars(price)} each, and the total of ${formatDollars(total)} is above ` +
      `the ${formatDollars(MAX_TOTAL)} that you can pay at once. Delete this order and place a smaller one.`,
    { meta: { price, max: MAX_TOTAL } },
  );

const describeWait = (seconds: number) => {
  const minutes = Math.ceil(seconds / 60);
  if (minutes >= 60) return 'in an hour';
  return minutes === 1 ? 'in a minute' : `in ${minutes} minutes`;
};

export const tooManyDeclines = (seconds: number) =>
  new ProblemError(429, 'too_many_declines', `Too many declined cards. You can try again ${describeWait(seconds)}.`, {
    retryAfter: seconds,
  });

/** A code for the customer to read out. `npm run doctor` prints it too, so that the operator can find the payment. */
export const refundCode = (intentId: string) => intentId.slice(-8);

export const paymentRefundDue = (intentId: string): ProblemError =>
  new ProblemError(
    409,
    'payment_returned',
    `${PAGE_MESSAGES.paymentRefunded}. If you contact us, include this code: ${refundCode(intentId)}.`,
    { meta: { code: refundCode(intentId) } },
  );
