import { CARDS } from '../../../__tests__/support/cards';
import {
  callAsBrowser,
  createPaymentMethod,
  stripeErrorOf,
  newIntent,
  pay,
  startSandbox,
} from '../../../__tests__/support/sandbox';

let sandboxServer: Awaited<ReturnType<typeof startSandbox>>;
beforeAll(async () => void (sandboxServer = await startSandbox()));
afterAll(() => sandboxServer.close());

const year = new Date().getFullYear() + 5;
const newCard = (card: object) =>
  sandboxServer.stripe.paymentMethods.create({
    type: 'card',
    card: { number: CARDS.pays, exp_month: 12, exp_year: year, ...card },
  });

// Clause C.10.8
test('card 4242 4242 4242 4242 pays successfully', async () => {
  const intent = await newIntent(sandboxServer.stripe);
  const paid = await pay(sandboxServer.stripe, intent.id, CARDS.pays);
  expect(paid).toMatchObject({ status: 'succeeded', amount_received: 2400, last_payment_error: null });
  expect(paid.latest_charge).toMatch(/^ch_/);
});

// Clause C.10.8
test.each([
  [CARDS.declined, 'card_declined', 'generic_decline', 'Your card was declined.'],
  [CARDS.insufficientFunds, 'card_declined', 'insufficient_funds', 'Your card has insufficient funds.'],
  [CARDS.expired, 'expired_card', undefined, 'Your card has expired.'],
  [CARDS.wrongCvc, 'incorrect_cvc', undefined, "Your card's security code is incorrect."],
])('card %s fails with %s, and another card can still pay', async (number, code, declineCode, message) => {
  const intent = await newIntent(sandboxServer.stripe);
  const failure = await stripeErrorOf(pay(sandboxServer.stripe, intent.id, number));
  expect(failure).toMatchObject({
    type: 'StripeCardError',
    statusCode: 402,
    code,
    decline_code: declineCode ?? '',
    message,
  });
  expect(failure.payment_intent).toMatchObject({ id: intent.id, status: 'requires_payment_method' });
  const after = await sandboxServer.stripe.paymentIntents.retrieve(intent.id);
  expect(after).toMatchObject({ status: 'requires_payment_method', payment_method: null, amount_received: 0 });
  expect(after.last_payment_error).toMatchObject({ code, message });
  expect((await pay(sandboxServer.stripe, intent.id, CARDS.pays)).status).toBe('succeeded');
});

// Clause C.10.8
test.each([
  [{ number: CARDS.unknownToSandbox }, 'card_declined', /used a non test card/],
  [{ number: CARDS.mistyped }, 'incorrect_number', /number is incorrect/],
  [{ number: '4242' }, 'invalid_number', /not a valid credit card number/],
  [{ exp_month: 0 }, 'invalid_expiry_month', /expiration month is invalid/],
  [{ exp_month: 13 }, 'invalid_expiry_month', /expiration month is invalid/],
  [{ exp_year: 2020 }, 'invalid_expiry_year', /expiration year is invalid/],
  [{ exp_year: 20 }, 'invalid_expiry_year', /expiration year is invalid/],
  [{ cvc: '12' }, 'invalid_cvc', /security code is invalid/],
])('no payment method is created for the card %j', async (card, code, message) => {
  const failure = await stripeErrorOf(newCard(card));
  expect(failure).toMatchObject({ type: 'StripeCardError', code });
  expect(failure.message).toMatch(message);
});

test('a payment method has the billing details that were sent with the card', async () => {
  const details = {
    address: {
      city: 'Elgin',
      country: 'US',
      line1: '18 Foundry Row',
      line2: 'Dock 2',
      postal_code: '60120',
      state: 'IL',
    },
    email: 'ann@shop.example',
    name: 'Ann Lee',
    phone: '555 0142',
    tax_id: '36-1234567',
  };
  const card = { number: CARDS.pays, exp_month: 12, exp_year: year };
  const { billing_details } = await sandboxServer.stripe.paymentMethods.create({
    type: 'card',
    card,
    billing_details: details,
  });
  expect(billing_details).toEqual(details);
});

test('no card number is stored', async () => {
  const intent = await newIntent(sandboxServer.stripe);
  await pay(sandboxServer.stripe, intent.id, CARDS.pays);
  const { rows } = await sandboxServer.db.$client.query<{ found: string }>(`
    select string_agg(t::text, ' ') as found from (
      select to_jsonb(m) as t from sandbox_payment_methods m union all select to_jsonb(i) from sandbox_intents i
      union all select to_jsonb(k) from sandbox_idempotency k
      union all select to_jsonb(e) from sandbox_events e) all_rows`);
  expect(rows[0]?.found).toContain('4242');
  expect(rows[0]?.found.replace(/[ -]/g, '')).not.toContain(CARDS.pays);
});

test('a payment method that paid for one intent cannot pay for another', async () => {
  const [first, second] = [await newIntent(sandboxServer.stripe), await newIntent(sandboxServer.stripe)];
  const payment_method = await createPaymentMethod(sandboxServer.stripe, CARDS.pays);
  await sandboxServer.stripe.paymentIntents.confirm(first.id, { payment_method });
  const failure = await stripeErrorOf(sandboxServer.stripe.paymentIntents.confirm(second.id, { payment_method }));
  expect(failure).toMatchObject({ statusCode: 400, code: 'payment_method_unexpected_state' });
});

describe('card 4000 0025 0000 3155', () => {
  async function startAuthentication() {
    const intent = await newIntent(sandboxServer.stripe);
    const asked = await pay(sandboxServer.stripe, intent.id, CARDS.authenticationRequired);
    expect(asked).toMatchObject({
      status: 'requires_action',
      amount_received: 0,
      next_action: { type: 'use_stripe_sdk' },
    });
    const authenticate = (outcome: string, client_secret = intent.client_secret ?? '') =>
      callAsBrowser(sandboxServer.origin, 'POST', `/v1/sandbox/payment_intents/${intent.id}/authenticate`, {
        client_secret,
        outcome,
      });
    return { intent, authenticate };
  }

  test('pays once, after successful authentication', async () => {
    const { intent, authenticate } = await startAuthentication();
    expect((await authenticate('pass')).body).toMatchObject({ status: 'succeeded' });
    expect(await authenticate('pass')).toMatchObject({
      status: 400,
      body: { error: { code: 'payment_intent_unexpected_state' } },
    });
    expect(await sandboxServer.stripe.paymentIntents.retrieve(intent.id)).toMatchObject({ amount_received: 2400 });
  });

  test.each(['fail', 'close'])(
    'does not pay if the authentication ends with %j, but another card can then pay',
    async (outcome) => {
      const { intent, authenticate } = await startAuthentication();
      await authenticate(outcome);
      const after = await sandboxServer.stripe.paymentIntents.retrieve(intent.id);
      expect(after).toMatchObject({ status: 'requires_payment_method', next_action: null });
      expect(after.last_payment_error?.code).toBe('payment_intent_authentication_failure');
      expect((await pay(sandboxServer.stripe, intent.id, CARDS.pays)).status).toBe('succeeded');
    },
  );

  test('can be authenticated only with the client secret of the intent', async () => {
    const { intent, authenticate } = await startAuthentication();
    expect(await authenticate('pass', 'guessed')).toMatchObject({ status: 404 });
    expect((await sandboxServer.stripe.paymentIntents.retrieve(intent.id)).status).toBe('requires_action');
  });

  test('leaves an intent that can be paid with another card or canceled while authentication is pending', async () => {
    const { intent } = await startAuthentication();
    expect((await pay(sandboxServer.stripe, intent.id, CARDS.pays)).status).toBe('succeeded');
    const other = await startAuthentication();
    expect((await sandboxServer.stripe.paymentIntents.cancel(other.intent.id)).status).toBe('canceled');
  });
});
