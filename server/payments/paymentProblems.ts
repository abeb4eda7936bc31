import { MAX_TOTAL } from '../../src/contract/limits';
import { grouped } from '../../src/contract/numbers';
import { PAGE_MESSAGES } from '../../src/contract/pageMessages';
import { problem, ProblemError } from '../http/problems';

const dollars = (amount: number) => `$${grouped(amount)}`;

export const paymentAlreadyUsed = problem(409, 'payment_already_used', 'This payment was for another order.');
export const badSignature = problem(400, 'bad_signature', 'The signature is missing or wrong.');
export const unknownPayment = () =>
  problem(
    422,
    'validation',
    'There is no such payment.',
  )({
    errors: [{ field: 'transactionId', message: 'is not a payment of this shop.' }],
  });
export const otherOrder = () =>
  problem(
    422,
    'validation',
    'The order in the body is another one than in the address.',
  )({
    errors: [{ field: 'order', message: 'must be the order in the address.' }],
  });
export const noOrderOfThisTotal = problem(422, 'no_such_order', 'You have no unpaid order of this total.');
export const paymentNotComplete = (status: string) =>
  problem(402, 'payment_not_complete', 'The payment is not complete yet. No order was changed.')({ meta: { status } });

export const totalMismatch = (total: number): ProblemError =>
  problem(409, 'total_mismatch', `The total of this order is $${total}. Please look at it again.`)({ meta: { total } });

/** Sending the total of this price accepts it. */
export const priceChangedSinceOrder = (price: number): ProblemError =>
  problem(
    409,
    'price_changed',
    `The price is now ${dollars(price)} each. Review the new total before you pay.`,
  )({ meta: { price } });

export const priceTooHigh = (price: number, total: number): ProblemError =>
  problem(
    409,
    'price_changed',
    `The price is now ${dollars(price)} each, and the total of ${dollars(total)} is above the ${dollars(MAX_TOTAL)} ` +
      'that you can pay at once. Delete this order and place a smaller one.',
  )({ meta: { price, max: MAX_TOTAL } });

const inMinutes = (seconds: number) => {
  const minutes = Math.ceil(seconds / 60);
  if (minutes >= 60) return 'in an hour';
  return minutes === 1 ? 'in a minute' : `in ${minutes} minutes`;
};

export const tooManyDeclines = (seconds: number) =>
  new ProblemError(429, 'too_many_declines', `Too many declined cards. You can try again ${inMinutes(seconds)}.`, {
    headers: { 'retry-after': String(seconds) },
  });

/** What a customer reads out, and the doctor's list ends with. */
export const returnCode = (intentId: string) => intentId.slice(-8);

export const paymentReturned = (intentId: string): ProblemError =>
  problem(
    409,
    'payment_returned',
    `${PAGE_MESSAGES.paymentReturned}. Write to us with the code ${returnCode(intentId)}.`,
  )({
    meta: { code: returnCode(intentId) },
  });
