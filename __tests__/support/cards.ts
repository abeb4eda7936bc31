import type { Customer } from './customers';
import type { OrderTestKit } from './orders';

/** Stripe's published test cards, by what they do, and two numbers that are none of them. */
export const CARDS = {
  pays: '4242424242424242',
  declined: '4000000000000002',
  asks: '4000002500003155',
  insufficientFunds: '4000000000009995',
  expired: '4000000000000069',
  wrongCvc: '4000000000000127',
  live: '5555555555554444',
  mistyped: '4242424242424241',
};

/** A card as the form of POST /v1/payment_methods has it. */
export const cardForm = (number: string) => ({
  type: 'card',
  'card[number]': number,
  'card[exp_month]': '12',
  'card[exp_year]': '2040',
  'card[cvc]': '123',
});

const AS_BROWSER = { authorization: 'Bearer pk_test_forgeline', 'content-type': 'application/x-www-form-urlencoded' };

/** Pays as the payment page does: asks for the client secret, makes a payment method, confirms with it. */
export function openCardTestKit({ origin, call }: Pick<OrderTestKit, 'origin' | 'call'>) {
  async function provider(path: string, fields: Record<string, string>) {
    const body = new URLSearchParams(fields).toString();
    const response = await fetch(`${origin}/v1/${path}`, { method: 'POST', headers: AS_BROWSER, body });
    return (await response.json()) as { id: string; status: string };
  }

  async function begin(who: Customer, orderId: string, totalPrice: number) {
    const { body, status } = await call<{ clientSecret: string }>(
      who,
      'POST',
      `/create-payment-intent?order=${orderId}`,
      { totalPrice },
    );
    return { status, body, intent: body.clientSecret?.split('_secret_')[0] ?? '', clientSecret: body.clientSecret };
  }

  async function confirm(intent: string, clientSecret: string, number = CARDS.pays) {
    const method = await provider('payment_methods', cardForm(number));
    return provider(`payment_intents/${intent}/confirm`, { client_secret: clientSecret, payment_method: method.id });
  }

  const settle = (who: Customer, orderId: string, transactionId: string) =>
    call(who, 'PATCH', `/order/${orderId}`, { order: orderId, transactionId });

  async function pay(who: Customer, orderId: string, totalPrice: number) {
    const { intent, clientSecret } = await begin(who, orderId, totalPrice);
    await confirm(intent, clientSecret);
    return settle(who, orderId, intent);
  }

  return { begin, confirm, settle, pay };
}
