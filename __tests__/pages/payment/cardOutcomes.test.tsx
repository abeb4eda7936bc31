import { render, screen, waitFor } from '@testing-library/react';
import { configureStore, type UnknownAction } from '@reduxjs/toolkit';
import { Provider } from 'react-redux';
import type { PaymentIntent, Stripe, StripeError } from '@stripe/stripe-js';
import type { Order } from '../../../src/contract/entities';
import { MAX_DECLINES } from '../../../src/contract/limits';
import { CardForm } from '../../../src/features/payment/CardForm';
import { CardElements } from '../../../src/features/payment/stripe';
import { pendingPayments } from '../../../src/features/payment/usePayment';
import { user } from '../../support/page';

const INTENT_ID = 'pi_1';
const ORDER = { _id: 'order-1', client: 'Ann Lee', email: 'ann@shop.example' } as Order;
const UNCONFIRMED = "We couldn't confirm the payment. Try again. You won't be charged twice.";
const EXPIRED = 'This payment session has expired. Press PAY again.';

interface StripeResult {
  paymentIntent?: Pick<PaymentIntent, 'id' | 'status'>;
  error?: Partial<StripeError>;
}

const intent = (status: PaymentIntent['status']): StripeResult => ({ paymentIntent: { id: INTENT_ID, status } });
const failure = (type: StripeError['type'], more: Partial<StripeError> = {}): StripeResult => ({
  error: { type, message: `Stripe says: ${type}.`, ...more },
});
const connectionLost = () => Promise.reject(new Error('connection lost'));

const METHOD = { paymentMethod: { id: 'pm_1' } };
const createPaymentMethod = jest.fn<Promise<unknown>, [{ billing_details: unknown }]>();
const confirmCardPayment = jest.fn<Promise<StripeResult>, [string, unknown]>();
const retrievePaymentIntent = jest.fn<Promise<StripeResult>, [string]>();
/** What Redux DevTools shows. */
let actions: UnknownAction[] = [];
const onPaid = jest.fn();
const onStale = jest.fn();

/** Replaces Stripe's card element. It reports that it is ready, because PAY is disabled until then. */
const listeners = new Map<string, (change?: object) => void>();
const element = {
  on(event: string, listener: () => void) {
    listeners.set(event, listener);
    if (event === 'ready') setTimeout(listener);
  },
  ...Object.fromEntries(['mount', 'destroy', 'update', 'off', 'once'].map((name) => [name, () => undefined])),
};
const stripe = {
  elements: () => ({ create: () => element, getElement: () => element, update: () => undefined }),
  createToken: () => undefined,
  createPaymentMethod,
  confirmCardPayment,
  retrievePaymentIntent,
} as unknown as Stripe;

beforeEach(() => {
  actions = [];
  jest.resetAllMocks();
  pendingPayments.forget(ORDER._id);
  createPaymentMethod.mockResolvedValue(METHOD);
  render(
    <Provider store={configureStore({ reducer: (_state, action) => void actions.push(action) })}>
      <CardElements stripe={stripe}>
        <CardForm
          order={ORDER}
          secret={`${INTENT_ID}_secret_2`}
          hint={undefined}
          focusWhenReady={false}
          onPaid={onPaid}
          onStale={onStale}
        />
      </CardElements>
    </Provider>,
  );
});

const order = ORDER._id;
const STARTED = { type: 'payment/started', payload: { order, transactionId: INTENT_ID } };
const CONFIRMED = { type: 'payment/confirmed', payload: { order } };
const failed = (code: string) => ({ type: 'payment/failed', payload: { order, code } });

const payButton = () => screen.getByRole('button', { name: 'PAY' });

async function pay(): Promise<void> {
  await waitFor(() => expect(payButton()).toBeEnabled());
  await user.click(payButton());
}

/** Whether the browser has stored the intent, so that the next page can report it to the server. */
const isRemembered = () => pendingPayments.recall(ORDER._id) === INTENT_ID;

// Clauses A.7.18, C.8.8
test('the card form sends card, name and email to Stripe, confirms the intent and reports the payment', async () => {
  confirmCardPayment.mockResolvedValue(intent('succeeded'));
  await pay();
  await waitFor(() => expect(onPaid).toHaveBeenCalledWith(INTENT_ID));
  expect(createPaymentMethod.mock.calls[0]![0]).toEqual({
    type: 'card',
    card: element,
    billing_details: { name: ORDER.client, email: ORDER.email },
  });
  expect(confirmCardPayment).toHaveBeenCalledWith(`${INTENT_ID}_secret_2`, { payment_method: 'pm_1' });
  expect([isRemembered(), onStale.mock.calls]).toEqual([true, []]);
  expect(actions.slice(1)).toEqual([STARTED, CONFIRMED]);
});

test('if a card is declined, the card form shows Stripe’s message, says that nothing was charged, and takes another card', async () => {
  confirmCardPayment.mockResolvedValue(failure('card_error', { decline_code: 'insufficient_funds' }));
  await pay();
  await screen.findByText("Stripe says: card_error. You weren't charged. Check the details, or use another card.");
  expect([retrievePaymentIntent.mock.calls, isRemembered(), onStale.mock.calls]).toEqual([[], false, []]);
  await waitFor(() => expect(payButton()).toHaveFocus());
  confirmCardPayment.mockResolvedValue(intent('succeeded'));
  await pay();
  expect(screen.queryByText(/Stripe says/)).toBeNull();
  await waitFor(() => expect(onPaid).toHaveBeenCalledWith(INTENT_ID));
  expect(actions.slice(1)).toEqual([STARTED, failed('insufficient_funds'), STARTED, CONFIRMED]);
});

test('the card form asks for a new payment intent after the last allowed decline', async () => {
  confirmCardPayment.mockResolvedValue(failure('card_error'));
  for (let declines = 0; declines < MAX_DECLINES; declines++) {
    expect(onStale).not.toHaveBeenCalled();
    await pay();
    await waitFor(() => expect(confirmCardPayment).toHaveBeenCalledTimes(declines + 1));
  }
  await waitFor(() => expect(onStale).toHaveBeenCalledTimes(1));
});

test('a payment that was charged is reported as paid even if Stripe’s response is an error', async () => {
  confirmCardPayment.mockResolvedValue(failure('api_error'));
  retrievePaymentIntent.mockResolvedValue(intent('succeeded'));
  await pay();
  await waitFor(() => expect(onPaid).toHaveBeenCalledWith(INTENT_ID));
  expect(retrievePaymentIntent).toHaveBeenCalledWith(`${INTENT_ID}_secret_2`);
});

test('if a payment fails before the charge, the card form shows Stripe’s message and does not store the intent', async () => {
  confirmCardPayment.mockResolvedValue(failure('api_error'));
  for (const status of ['requires_payment_method', 'requires_confirmation', 'requires_action'] as const) {
    retrievePaymentIntent.mockResolvedValue(intent(status));
    await pay();
    await screen.findByText('Stripe says: api_error.');
    expect([isRemembered(), onStale.mock.calls]).toEqual([false, []]);
  }
  expect(retrievePaymentIntent).toHaveBeenCalledTimes(3);
});

test('an intent that the failed confirmation contains counts if the intent cannot be read', async () => {
  const { paymentIntent: payment_intent } = intent('succeeded');
  mockUnreadableIntent(failure('api_error', { payment_intent: payment_intent as PaymentIntent }));
  await pay();
  await waitFor(() => expect(onPaid).toHaveBeenCalledWith(INTENT_ID));
});

test('a payment in progress cannot be sent again', async () => {
  let finish = (_result: StripeResult) => {};
  confirmCardPayment.mockReturnValue(new Promise((resolve) => (finish = resolve)));
  await pay();
  payButton().closest('form')!.requestSubmit();
  await waitFor(() => expect(payButton()).toBeDisabled());
  finish(intent('succeeded'));
  await waitFor(() => expect(onPaid).toHaveBeenCalledWith(INTENT_ID));
  expect([createPaymentMethod.mock.calls.length, confirmCardPayment.mock.calls.length]).toEqual([1, 1]);
});

test('a payment that Stripe has neither charged nor refused is shown as not confirmed', async () => {
  confirmCardPayment.mockResolvedValue(intent('requires_action'));
  await pay();
  await screen.findByText(UNCONFIRMED);
  expect([retrievePaymentIntent.mock.calls, isRemembered(), onStale.mock.calls]).toEqual([[], false, []]);
});

test.each<[string, () => void, string]>([
  ['is lost', () => confirmCardPayment.mockImplementation(connectionLost), UNCONFIRMED],
  ['says that it is processing', () => confirmCardPayment.mockResolvedValue(intent('processing')), UNCONFIRMED],
  [
    'has an error without a message',
    () => mockUnreadableIntent(failure('api_error', { message: undefined })),
    UNCONFIRMED,
  ],
  [
    'has an error, and the intent cannot be read',
    () => mockUnreadableIntent(failure('api_error')),
    'Stripe says: api_error.',
  ],
])(
  'a payment whose response %s is stored for the next page, because it may have been charged',
  async (_response, prepare, message) => {
    prepare();
    await pay();
    await screen.findByText(message);
    expect([isRemembered(), onStale.mock.calls, onPaid.mock.calls]).toEqual([true, [], []]);
  },
);

/** Confirming the payment has this result, and reading its intent fails. */
function mockUnreadableIntent(result: StripeResult): void {
  confirmCardPayment.mockResolvedValue(result);
  retrievePaymentIntent.mockResolvedValue(failure('api_error'));
}

test.each<[string, StripeResult]>([
  ['canceled', intent('canceled')],
  ['in a state without a payment', failure('invalid_request_error', { code: 'payment_intent_unexpected_state' })],
])('the card form asks for a new payment intent if the current one is %s', async (_state, current) => {
  confirmCardPayment.mockResolvedValue(
    failure('invalid_request_error', { code: current.error ? current.error.code : 'resource_missing' }),
  );
  retrievePaymentIntent.mockResolvedValue(current);
  await pay();
  await screen.findByText(EXPIRED);
  expect([onStale.mock.calls.length, isRemembered()]).toEqual([1, false]);
});
