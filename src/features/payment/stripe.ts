import { useCallback, useEffect, useState } from 'react';
import { CardElement, Elements, useElements, useStripe } from '@stripe/react-stripe-js';
import { loadStripe } from '@stripe/stripe-js/pure';
import type { PaymentIntent, Stripe, StripeCardElementOptions, StripeError } from '@stripe/stripe-js';
import type { AppConfig } from '../../config';

export { CardElement, Elements as CardElements };
export type CardStyle = NonNullable<StripeCardElementOptions['style']>;

export interface Payer {
  name: string;
  email: string;
}
/**
 * The result of a payment by card:
 *
 * - `refused`: the card was declined, or nothing was sent. No money moved.
 * - `unclear`: there was no clear response. Trying again is safe, because a payment is charged only once.
 * - `stale`: this payment accepts no more cards, so the page has to request a new one.
 */
export type CardOutcome =
  | { kind: 'paid'; transactionId: string }
  /** `code` is the provider's. */
  | { kind: 'refused' | 'unclear' | 'stale'; message: string; code: string };

const SANDBOX_SCRIPT = '/v1/sandbox/stripe.js';
const UNCONFIRMED = "We couldn't confirm the payment. Try again. You won't be charged twice.";
const NOT_CHARGED = "You weren't charged.";
const CHECK_CARD = 'Check the details, or use another card.';
/** The customer's bank asked whether it is them, and they failed or canceled. */
const NOT_AUTHENTICATED = 'payment_intent_authentication_failure';
const UNCHARGED_STATUSES: PaymentIntent['status'][] = [
  'requires_payment_method',
  'requires_confirmation',
  'requires_action',
];
const NO_RESPONSE = 'no_response';
const UNEXPECTED_STATE = 'payment_intent_unexpected_state';

export const intentIdOf = (clientSecret: string) => clientSecret.split('_secret_')[0]!;

function addScript(src: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = Object.assign(document.createElement('script'), { src });
    const fail = () => {
      script.remove();
      reject(new Error(`${src} did not load`));
    };
    // A network, such as a captive portal, may answer with a script of its own. Then there is no `Stripe`.
    script.onload = () => ('Stripe' in window ? resolve() : fail());
    script.onerror = fail;
    document.head.append(script);
  });
}

let stripePromise: Promise<Stripe | null> | undefined;

/**
 * The sandbox's script defines `window.Stripe`. `loadStripe` uses that object if it exists, and loads nothing from
 * Stripe.
 */
export function loadProvider({ kind, publishableKey }: AppConfig['payments']): Promise<Stripe | null> {
  const loadScript = async () => kind === 'sandbox' && !('Stripe' in window) && (await addScript(SANDBOX_SCRIPT));
  stripePromise ??= loadScript().then(() => loadStripe(publishableKey));
  stripePromise.catch(() => (stripePromise = undefined));
  return stripePromise;
}

/** Loads the payment provider's script. `stripe` is null until the script has loaded. */
export function useStripeLoader(payments: AppConfig['payments']) {
  const [stripe, setStripe] = useState<Stripe | null>(null);
  const [failed, setFailed] = useState(false);
  const fetchStripe = useCallback(() => void loadProvider(payments).then(setStripe, () => setFailed(true)), [payments]);
  useEffect(fetchStripe, [fetchStripe]);
  const tryAgain = () => {
    setFailed(false);
    fetchStripe();
  };
  return { stripe, failed, tryAgain };
}

const stripeMessageOf = (error: StripeError) => error.message ?? UNCONFIRMED;
const codeOf = (error: StripeError) => error.decline_code ?? error.code ?? error.type;

function cardOutcomeOf(intent: PaymentIntent | undefined, error: StripeError | undefined): CardOutcome {
  if (intent?.status === 'succeeded') return { kind: 'paid', transactionId: intent.id };
  const code = error ? codeOf(error) : (intent?.status ?? NO_RESPONSE);
  if (error?.code === UNEXPECTED_STATE || intent?.status === 'canceled')
    return { kind: 'stale', code, message: 'This payment session has expired. Press PAY again.' };
  const message = error ? stripeMessageOf(error) : UNCONFIRMED;
  if (error?.code === NOT_AUTHENTICATED) return { kind: 'refused', code, message: `${message} ${NOT_CHARGED}` };
  if (error?.type === 'card_error')
    return { kind: 'refused', code, message: `${message} ${NOT_CHARGED} ${CHECK_CARD}` };
  const isUncharged = intent !== undefined && UNCHARGED_STATUSES.includes(intent.status);
  return { kind: isUncharged ? 'refused' : 'unclear', code, message };
}

/** Only a declined card is a clear failure. After any other error, reads the payment's state again. */
async function confirmPayment(stripe: Stripe, clientSecret: string, paymentMethod: string): Promise<CardOutcome> {
  const { paymentIntent, error } = await stripe.confirmCardPayment(clientSecret, { payment_method: paymentMethod });
  if (!error || error.type === 'card_error') return cardOutcomeOf(paymentIntent, error);
  const current = await stripe.retrievePaymentIntent(clientSecret);
  return cardOutcomeOf(current.paymentIntent ?? error.payment_intent, error);
}

/**
 * First creates a payment method from the card, and then confirms the payment. Only the second step charges the card.
 */
export function useCardPayment() {
  const stripe = useStripe();
  const elements = useElements();
  const [ready, setReady] = useState(false);

  const pay = async (clientSecret: string, payer: Payer): Promise<CardOutcome> => {
    const card = elements?.getElement(CardElement);
    if (!stripe || !card) return { kind: 'refused', code: 'no_card_form', message: UNCONFIRMED };
    try {
      const created = await stripe.createPaymentMethod({ type: 'card', card, billing_details: { ...payer } });
      if (created.error)
        return { kind: 'refused', code: codeOf(created.error), message: stripeMessageOf(created.error) };
      return await confirmPayment(stripe, clientSecret, created.paymentMethod.id);
    } catch {
      return { kind: 'unclear', code: NO_RESPONSE, message: UNCONFIRMED };
    }
  };
  return { pay, ready, onReady: () => setReady(true) };
}
