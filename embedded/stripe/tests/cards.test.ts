import { CARDS } from '../../../__tests__/support/cards';
import { callAsBrowser, stripeErrorOf, newIntent, pay, startSandbox } from './sandbox';

describe('Cards', () => {
  let sandboxServer: Awaited<ReturnType<typeof startSandbox>>;
  beforeAll(async () => void (sandboxServer = await startSandbox()));
  afterAll(() => sandboxServer.close());

  const year = new Date().getFullYear() + 5;
  const createCard = ({ stripe }: typeof sandboxServer, card: object) =>
    stripe.paymentMethods.create({
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
    [CARDS.declined, 'card_declined', { decline_code: 'generic_decline' }, 'Your card was declined.'],
    [
      CARDS.insufficientFunds,
      'card_declined',
      { decline_code: 'insufficient_funds' },
      'Your card has insufficient funds.',
    ],
    [CARDS.expired, 'expired_card', { param: 'exp_month' }, 'Your card has expired.'],
    [CARDS.wrongCvc, 'incorrect_cvc', { param: 'cvc' }, "Your card's security code is incorrect."],
  ])('card %s fails with %s, and another card can still pay', async (number, code, details, message) => {
    const intent = await newIntent(sandboxServer.stripe);
    const failure = await stripeErrorOf(pay(sandboxServer.stripe, intent.id, number));
    expect(failure).toMatchObject({
      type: 'StripeCardError',
      statusCode: 402,
      code,
      decline_code: 'decline_code' in details ? details.decline_code : '',
      message,
    });
    expect(failure.payment_intent).toMatchObject({ id: intent.id, status: 'requires_payment_method' });
    const after = await sandboxServer.stripe.paymentIntents.retrieve(intent.id);
    expect(after).toMatchObject({ status: 'requires_payment_method', payment_method: null, amount_received: 0 });
    expect(after.last_payment_error).toEqual({
      type: 'card_error',
      code,
      ...details,
      message,
      charge: after.latest_charge,
      payment_method: expect.objectContaining({ object: 'payment_method', type: 'card' }) as object,
    });
    expect((await pay(sandboxServer.stripe, intent.id, CARDS.pays)).status).toBe('succeeded');
  });

  const INVALID_NUMBER = 'The card number is not a valid credit card number.';
  const NON_TEST_CARD =
    'Your card was declined. Your request was in test mode, but used a non test card. ' +
    'For a list of valid test cards, visit: https://stripe.com/docs/testing.';
  const INVALID_MONTH = "Your card's expiration month is invalid.";
  const INVALID_YEAR = "Your card's expiration year is invalid.";
  const INVALID_CVC = "Your card's security code is invalid.";

  type RefusedCard = [card: object, code: string, message: string, details: object];

  // Clause C.10.8
  test.each<RefusedCard>([
    [{ number: CARDS.unknownToSandbox }, 'card_declined', NON_TEST_CARD, { decline_code: 'test_mode_live_card' }],
    [{ number: CARDS.mistyped }, 'incorrect_number', 'Your card number is incorrect.', { param: 'number' }],
    [{ number: '4242' }, 'invalid_number', INVALID_NUMBER, { param: 'number' }],
    [{ exp_month: 13 }, 'invalid_expiry_month', INVALID_MONTH, { param: 'exp_month' }],
    [{ exp_year: 2020 }, 'invalid_expiry_year', INVALID_YEAR, { param: 'exp_year' }],
    [{ cvc: '12' }, 'invalid_cvc', INVALID_CVC, { param: 'cvc' }],
  ])('no payment method is created for the card %j', async (card, code, message, details) => {
    const failure = await stripeErrorOf(createCard(sandboxServer, card));
    expect(failure).toMatchObject({ type: 'StripeCardError', statusCode: 402, code });
    expect(failure.raw).toMatchObject({ type: 'card_error', code, message, ...details });
  });

  test('a payment method has the billing details that were sent with the card', async () => {
    const billing_details = { address: { postal_code: '60120' }, email: 'ann@shop.example', name: 'Ann Lee' };
    const card = { number: CARDS.pays, exp_month: 12, exp_year: year };
    const method = await sandboxServer.stripe.paymentMethods.create({ type: 'card', card, billing_details });
    expect(method.billing_details).toEqual(billing_details);
  });

  describe('card 4000 0025 0000 3155', () => {
    async function startAuthentication() {
      const intent = await newIntent(sandboxServer.stripe);
      const asked = await pay(sandboxServer.stripe, intent.id, CARDS.authenticationRequired);
      const stripe_js = 'http://localhost:3000/v1/sandbox/challenge';
      expect(asked).toMatchObject({ status: 'requires_action', amount_received: 0 });
      expect(asked.next_action).toEqual({
        type: 'use_stripe_sdk',
        use_stripe_sdk: { type: 'three_d_secure_redirect', stripe_js },
      });
      const authenticate = (outcome: string, client_secret = intent.client_secret ?? '') =>
        callAsBrowser(sandboxServer.origin, 'POST', `/v1/sandbox/payment_intents/${intent.id}/authenticate`, {
          client_secret,
          outcome,
        });
      return { intent, authenticate };
    }

    test('can be authenticated only with the client secret of the intent', async () => {
      const { intent, authenticate } = await startAuthentication();
      expect(await authenticate('pass', 'guessed')).toMatchObject({ status: 404 });
      expect((await sandboxServer.stripe.paymentIntents.retrieve(intent.id)).status).toBe('requires_action');
    });
  });
});
