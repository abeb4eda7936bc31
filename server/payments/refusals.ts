import { WORDS } from '../../src/contract/messages';
import { problem, type Refusal } from '../errors';

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

export const totalMismatch = (total: number): Refusal =>
  problem(409, 'total_mismatch', `The total of this order is $${total}. Please look at it again.`)({ meta: { total } });

/** What a customer reads out, and the doctor's list ends with. */
export const returnCode = (intentId: string) => intentId.slice(-8);

export const paymentReturned = (intentId: string): Refusal =>
  problem(
    409,
    'payment_returned',
    `${WORDS.paymentReturned}. Write to us with the code ${returnCode(intentId)}.`,
  )({
    meta: { code: returnCode(intentId) },
  });
