import type { Customer } from './customers';
import type { OrderTestKit } from './orders';

/**
 * Stripe's published test cards by their effect, two cards that only the sandbox has, a card that the sandbox does not
 * know, and a number with a wrong check digit.
 */
export const CARDS = {
  pays: '4242424242424242',
  declined: '4000000000000002',
  authenticationRequired: '4000002500003155',
  insufficientFunds: '4000000000009995',
  expired: '4000000000000069',
  wrongCvc: '4000000000000127',
  refundPending: '4000000000007726',
  refundFails: '4000000000005126',
  disputed: '4000000000000259',
  disputedWon: '4000009990000013',
  disputedLost: '4000009990000021',
  unknownToSandbox: '5555555555554444',
  mistyped: '4242424242424241',
};

export const cardForm = (number: string) => ({
  type: 'card',
  'card[number]': number,
  'card[exp_month]': '12',
  'card[exp_year]': '2040',
  'card[cvc]': '123',
});

const BROWSER_HEADERS = {
  authorization: 'Bearer pk_test_forgeline',
  'content-type': 'application/x-www-form-urlencoded',
};

/** Pays as the payment page does: gets a client secret, creates a payment method, and confirms the intent with it. */
export function openCardTestKit({ origin, call }: Pick<OrderTestKit, 'origin' | 'call'>) {
  async function callStripe(path: string, fields: Record<string, string>) {
    const body = new URLSearchParams(fields).toString();
    const response = await fetch(`${origin}/v1/${path}`, { method: 'POST', headers: BROWSER_HEADERS, body });
    return (await response.json()) as { id: string; status: string };
  }

  async function createIntent(customer: Customer, orderId: string, totalPrice: number) {
    const { body, status } = await call<{ clientSecret: string }>(
      customer,
      'POST',
      `/create-payment-intent?order=${orderId}`,
      { totalPrice },
    );
    return { status, body, intent: body.clientSecret?.split('_secret_')[0] ?? '', clientSecret: body.clientSecret };
  }

  async function confirm(intent: string, clientSecret: string, number = CARDS.pays) {
    const method = await callStripe('payment_methods', cardForm(number));
    return callStripe(`payment_intents/${intent}/confirm`, { client_secret: clientSecret, payment_method: method.id });
  }

  const patchOrder = (customer: Customer, orderId: string, transactionId: string) =>
    call(customer, 'PATCH', `/order/${orderId}`, { order: orderId, transactionId });

  async function pay(customer: Customer, orderId: string, totalPrice: number) {
    const { intent, clientSecret } = await createIntent(customer, orderId, totalPrice);
    await confirm(intent, clientSecret);
    return patchOrder(customer, orderId, intent);
  }

  return { createIntent, confirm, patchOrder, pay };
}
