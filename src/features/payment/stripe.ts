import { useCallback, useEffect, useState } from 'react';
import { CardElement, Elements, useElements, useStripe } from '@stripe/react-stripe-js';
import { loadStripe } from '@stripe/stripe-js/pure';
import type { PaymentIntent, Stripe, StripeCardElementOptions, StripeError } from '@stripe/stripe-js';
import type { AppConfig } from '../../config';

export { CardElement, Elements as CardSurroundings };
export type CardStyle = NonNullable<StripeCardElementOptions['style']>;

export interface Payer {
  name: string;
  email: string;
}
/**
 * Refused: no money moved. Unclear: nobody answered; to try again is safe, since a payment is charged once.
 * Stale: this payment can take no card any more; another one must be asked for.
 */
export type CardOutcome =
  { kind: 'paid'; transactionId: string } | { kind: 'refused' | 'unclear' | 'stale'; message: string };

const SANDBOX = '/v1/sandbox/stripe.js';
const NO_ANSWER = 'The payment service gave no clear answer. Please try again: you will not be charged twice.';
const UNEXPECTED = 'payment_intent_unexpected_state';

export const intentIdOf = (clientSecret: string) => clientSecret.split('_secret_')[0]!;

function addScript(src: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = Object.assign(document.createElement('script'), { src });
    const fail = () => {
      script.remove();
      reject(new Error(`${src} did not load`));
    };
    // Something else may have answered in its place.
    script.onload = () => ('Stripe' in window ? resolve() : fail());
    script.onerror = fail;
    document.head.append(script);
  });
}

let loading: Promise<Stripe | null> | undefined;

/** The sandbox brings its own browser object; with one there, the loader uses it and asks nobody outside. */
function load({ kind, publishableKey }: AppConfig['payments']): Promise<Stripe | null> {
  const ready = kind === 'sandbox' && !('Stripe' in window) ? addScript(SANDBOX) : Promise.resolve();
  loading ??= ready.then(() => loadStripe(publishableKey));
  loading.catch(() => (loading = undefined));
  return loading;
}

/** The provider's browser object; `failed` when it cannot be had. */
export function useProvider(payments: AppConfig['payments']) {
  const [stripe, setStripe] = useState<Stripe | null>(null);
  const [failed, setFailed] = useState(false);
  const fetchIt = useCallback(() => void load(payments).then(setStripe, () => setFailed(true)), [payments]);
  useEffect(fetchIt, [fetchIt]);
  const tryAgain = () => {
    setFailed(false);
    fetchIt();
  };
  return { stripe, failed, tryAgain };
}

const messageOf = (error: StripeError) => error.message ?? NO_ANSWER;

function cardOutcomeOf(intent: PaymentIntent | undefined, error: StripeError | undefined): CardOutcome {
  if (intent?.status === 'succeeded') return { kind: 'paid', transactionId: intent.id };
  if (error?.code === UNEXPECTED || intent?.status === 'canceled')
    return { kind: 'stale', message: 'This payment was closed meanwhile. Please press PAY once more.' };
  const answered = error?.type === 'card_error' || intent !== undefined;
  return { kind: answered ? 'refused' : 'unclear', message: error ? messageOf(error) : NO_ANSWER };
}

/** A card that is refused was answered; after anything else, what became of the payment is asked. */
async function confirm(stripe: Stripe, clientSecret: string, paymentMethod: string): Promise<CardOutcome> {
  const { paymentIntent, error } = await stripe.confirmCardPayment(clientSecret, { payment_method: paymentMethod });
  if (!error || error.type === 'card_error') return cardOutcomeOf(paymentIntent, error);
  const now = await stripe.retrievePaymentIntent(clientSecret);
  return cardOutcomeOf(now.paymentIntent ?? error.payment_intent, error);
}

/** Makes a payment method of the card and then pays with it; what fails first is answered, and nothing is paid. */
export function useCard() {
  const stripe = useStripe();
  const elements = useElements();
  const [ready, setReady] = useState(false);

  const pay = async (clientSecret: string, payer: Payer): Promise<CardOutcome> => {
    const card = elements?.getElement(CardElement);
    if (!stripe || !card) return { kind: 'refused', message: NO_ANSWER };
    try {
      const made = await stripe.createPaymentMethod({ type: 'card', card, billing_details: { ...payer } });
      if (made.error) return { kind: 'refused', message: messageOf(made.error) };
      return await confirm(stripe, clientSecret, made.paymentMethod.id);
    } catch {
      return { kind: 'unclear', message: NO_ANSWER };
    }
  };
  return { pay, ready, onReady: () => setReady(true) };
}
