import { callShop } from './api';

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

async function callStripe(origin: string, path: string, fields: Record<string, string>) {
  const headers = {
    authorization: 'Bearer pk_test_forgeline',
    'content-type': 'application/x-www-form-urlencoded',
  };
  const body = new URLSearchParams(fields).toString();
  const response = await fetch(`${origin}/v1/${path}`, { method: 'POST', headers, body });
  return (await response.json()) as { id: string; status: string; error?: { message: string; code: string } };
}

/** Confirms a payment at the sandbox as the card form does. `billing` adds fields to the payment method. */
export async function confirmPayment(
  origin: string,
  clientSecret: string,
  card = CARDS.pays,
  billing: Record<string, string> = {},
) {
  const [intentId = ''] = clientSecret.split('_secret_');
  const method = await callStripe(origin, 'payment_methods', { ...cardForm(card), ...billing });
  const form = { client_secret: clientSecret, payment_method: method.id };
  return { intentId, ...(await callStripe(origin, `payment_intents/${intentId}/confirm`, form)) };
}

/** Pays an order as the payment page does: starts a payment, confirms it at the sandbox, and reports it. */
export async function payWithToken(origin: string, token: string, orderId: string, totalPrice: number) {
  const start = { method: 'POST', token, body: { totalPrice } };
  const { body } = await callShop(origin, `/create-payment-intent?order=${orderId}`, start);
  const { intentId } = await confirmPayment(origin, String(body['clientSecret']));
  const report = { method: 'PATCH', token, body: { order: orderId, transactionId: intentId } };
  return callShop(origin, `/order/${orderId}`, report);
}
