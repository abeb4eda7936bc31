import type { PayingOutcome } from './cardPlans';
import { passesLuhn } from './luhn';
import { cardRefused, type ErrorBody } from './stripeErrors';

type Decline = 'generic_decline' | 'insufficient_funds' | 'expired_card' | 'incorrect_cvc';
export type TestCardOutcome = PayingOutcome | 'asks_for_authentication' | Decline;

/** Stripe's test cards (https://docs.stripe.com/testing), and two cards of our own. */
const OUTCOMES: Record<string, TestCardOutcome> = {
  '4242424242424242': 'pays',
  '4000000000000002': 'generic_decline',
  '4000000000009995': 'insufficient_funds',
  '4000002500003155': 'asks_for_authentication',
  '4000000000000069': 'expired_card',
  '4000000000000127': 'incorrect_cvc',
  '4000000000007726': 'refund_pending',
  '4000000000005126': 'refund_fails',
  '4000000000000259': 'disputed_fraudulent',
  // Stripe has no test card whose dispute ends without evidence, so we add two. In Stripe's test cards for countries,
  // the country's code follows 400000. No country has the code 999, so our cards cannot collide with Stripe's.
  '4000009990000013': 'disputed_won',
  '4000009990000021': 'disputed_lost',
};

export const DECLINES: Record<Decline, Pick<ErrorBody, 'code' | 'decline_code' | 'message' | 'param'>> = {
  generic_decline: { code: 'card_declined', decline_code: 'generic_decline', message: 'Your card was declined.' },
  insufficient_funds: {
    code: 'card_declined',
    decline_code: 'insufficient_funds',
    message: 'Your card has insufficient funds.',
  },
  expired_card: { code: 'expired_card', message: 'Your card has expired.', param: 'exp_month' },
  incorrect_cvc: { code: 'incorrect_cvc', message: "Your card's security code is incorrect.", param: 'cvc' },
};

const NON_TEST_CARD_MESSAGE =
  'Your card was declined. Your request was in test mode, but used a non test card. ' +
  'For a list of valid test cards, visit: https://stripe.com/docs/testing.';

export function outcomeOf(digits: string): TestCardOutcome {
  if (!/^\d{12,19}$/.test(digits)) {
    throw cardRefused('invalid_number', 'The card number is not a valid credit card number.', { param: 'number' });
  }
  if (!passesLuhn(digits)) throw cardRefused('incorrect_number', 'Your card number is incorrect.', { param: 'number' });
  const outcome = OUTCOMES[digits];
  if (!outcome) throw cardRefused('card_declined', NON_TEST_CARD_MESSAGE, { decline_code: 'test_mode_live_card' });
  return outcome;
}

export function checkExpiry(month: number, year: number, now: Date) {
  const thisYear = now.getUTCFullYear();
  const isInvalidYear = year < thisYear || year > thisYear + 50;
  if (isInvalidYear) {
    throw cardRefused('invalid_expiry_year', "Your card's expiration year is invalid.", { param: 'exp_year' });
  }
  const isPastMonth = year === thisYear && month < now.getUTCMonth() + 1;
  if (month < 1 || month > 12 || isPastMonth) {
    throw cardRefused('invalid_expiry_month', "Your card's expiration month is invalid.", { param: 'exp_month' });
  }
}

export function checkCvc(cvc: string | null) {
  if (cvc !== null && !/^\d{3,4}$/.test(cvc)) {
    throw cardRefused('invalid_cvc', "Your card's security code is invalid.", { param: 'cvc' });
  }
}
