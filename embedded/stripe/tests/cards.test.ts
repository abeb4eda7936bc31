import { CARDS } from '../../../__tests__/support/cards';
import { asBrowser, cardOf, failureOf, newIntent, pay, startSandbox } from '../../../__tests__/support/sandbox';

let shop: Awaited<ReturnType<typeof startSandbox>>;
beforeAll(async () => void (shop = await startSandbox()));
afterAll(() => shop.close());

const year = new Date().getFullYear() + 5;
const newCard = (card: object) =>
  shop.stripe.paymentMethods.create({
    type: 'card',
    card: { number: CARDS.pays, exp_month: 12, exp_year: year, ...card },
  });

// Clause C.10.8
test('4242 4242 4242 4242 pays', async () => {
  const intent = await newIntent(shop.stripe);
  const paid = await pay(shop.stripe, intent.id, CARDS.pays);
  expect(paid).toMatchObject({ status: 'succeeded', amount_received: 2400, last_payment_error: null });
  expect(paid.latest_charge).toMatch(/^ch_/);
});

// Clause C.10.8
test.each([
  [CARDS.declined, 'card_declined', 'generic_decline', 'Your card was declined.'],
  [CARDS.insufficientFunds, 'card_declined', 'insufficient_funds', 'Your card has insufficient funds.'],
  [CARDS.expired, 'expired_card', undefined, 'Your card has expired.'],
  [CARDS.wrongCvc, 'incorrect_cvc', undefined, "Your card's security code is incorrect."],
])('%s fails with %s, and another card may be tried', async (number, code, declineCode, message) => {
  const intent = await newIntent(shop.stripe);
  const failure = await failureOf(pay(shop.stripe, intent.id, number));
  expect(failure).toMatchObject({
    type: 'StripeCardError',
    statusCode: 402,
    code,
    decline_code: declineCode ?? '',
    message,
  });
  expect(failure.payment_intent).toMatchObject({ id: intent.id, status: 'requires_payment_method' });
  const after = await shop.stripe.paymentIntents.retrieve(intent.id);
  expect(after).toMatchObject({ status: 'requires_payment_method', payment_method: null, amount_received: 0 });
  expect(after.last_payment_error).toMatchObject({ code, message });
  expect((await pay(shop.stripe, intent.id, CARDS.pays)).status).toBe('succeeded');
});

// Clause C.10.8
test.each([
  [{ number: CARDS.live }, 'card_declined', /used a non test card/],
  [{ number: CARDS.mistyped }, 'incorrect_number', /number is incorrect/],
  [{ number: '4242' }, 'invalid_number', /not a valid credit card number/],
  [{ exp_month: 13 }, 'invalid_expiry_month', /expiration month is invalid/],
  [{ exp_year: 2020 }, 'invalid_expiry_year', /expiration year is invalid/],
  [{ exp_year: 20 }, 'invalid_expiry_year', /expiration year is invalid/],
  [{ cvc: '12' }, 'invalid_cvc', /security code is invalid/],
])('a card %j is refused before it becomes a payment method', async (card, code, message) => {
  const failure = await failureOf(newCard(card));
  expect(failure).toMatchObject({ type: 'StripeCardError', code });
  expect(failure.message).toMatch(message);
});

test('no card number is kept anywhere', async () => {
  const intent = await newIntent(shop.stripe);
  await pay(shop.stripe, intent.id, CARDS.pays);
  const { rows } = await shop.db.$client.query<{ found: string }>(`
    select string_agg(t::text, ' ') as found from (
      select to_jsonb(m) as t from sandbox_payment_methods m union all select to_jsonb(i) from sandbox_intents i
      union all select to_jsonb(k) from sandbox_idempotency k union all select to_jsonb(e) from sandbox_events e) all_rows`);
  expect(rows[0]?.found).toContain('4242');
  expect(rows[0]?.found.replace(/[ -]/g, '')).not.toContain(CARDS.pays);
});

test('a card that paid once does not pay again', async () => {
  const [first, second] = [await newIntent(shop.stripe), await newIntent(shop.stripe)];
  const payment_method = await cardOf(shop.stripe, CARDS.pays);
  await shop.stripe.paymentIntents.confirm(first.id, { payment_method });
  const failure = await failureOf(shop.stripe.paymentIntents.confirm(second.id, { payment_method }));
  expect(failure).toMatchObject({ statusCode: 400, code: 'payment_method_unexpected_state' });
});

describe('4000 0025 0000 3155 asks for authentication', () => {
  async function challenged() {
    const intent = await newIntent(shop.stripe);
    const asked = await pay(shop.stripe, intent.id, CARDS.asks);
    expect(asked).toMatchObject({
      status: 'requires_action',
      amount_received: 0,
      next_action: { type: 'use_stripe_sdk' },
    });
    const end = (outcome: string, client_secret = intent.client_secret ?? '') =>
      asBrowser(shop.origin, 'POST', `/v1/sandbox/payment_intents/${intent.id}/authenticate`, {
        client_secret,
        outcome,
      });
    return { intent, end };
  }

  test('passed: it pays, once', async () => {
    const { intent, end } = await challenged();
    expect((await end('pass')).body).toMatchObject({ status: 'succeeded' });
    expect(await end('pass')).toMatchObject({
      status: 400,
      body: { error: { code: 'payment_intent_unexpected_state' } },
    });
    expect(await shop.stripe.paymentIntents.retrieve(intent.id)).toMatchObject({ amount_received: 2400 });
  });

  test.each(['fail', 'close'])('%s: it does not pay, and another card may', async (outcome) => {
    const { intent, end } = await challenged();
    await end(outcome);
    const after = await shop.stripe.paymentIntents.retrieve(intent.id);
    expect(after).toMatchObject({ status: 'requires_payment_method', next_action: null });
    expect(after.last_payment_error?.code).toBe('payment_intent_authentication_failure');
    expect((await pay(shop.stripe, intent.id, CARDS.pays)).status).toBe('succeeded');
  });

  test('only who has the client secret ends it', async () => {
    const { intent, end } = await challenged();
    expect(await end('pass', 'guessed')).toMatchObject({ status: 404 });
    expect((await shop.stripe.paymentIntents.retrieve(intent.id)).status).toBe('requires_action');
  });

  test('left alone, it can still be paid with another card or cancelled', async () => {
    const { intent } = await challenged();
    expect((await pay(shop.stripe, intent.id, CARDS.pays)).status).toBe('succeeded');
    const other = await challenged();
    expect((await shop.stripe.paymentIntents.cancel(other.intent.id)).status).toBe('canceled');
  });
});
