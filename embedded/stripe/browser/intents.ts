import type { PaymentIntent, PaymentIntentResult, PaymentMethodResult, StripeError } from '@stripe/stripe-js';
import { post, read, type ApiAnswer } from './api';
import { CardElement } from './cardElement';
import { askForAuthentication } from './challengeDialog';
import type { BillingDetails } from './messages';

export interface NewMethod {
  type?: string;
  card?: unknown;
  billing_details?: BillingDetails;
}
export interface ConfirmData {
  payment_method?: string | NewMethod;
  receipt_email?: string;
}

const INVALID: StripeError['type'] = 'invalid_request_error';
const NOT_AUTHENTICATED =
  'We are unable to authenticate your payment method. Please choose a different payment method and try again.';
const refused = (message: string) => ({ error: { type: INVALID, message } });
const idOf = (clientSecret: string) => clientSecret.split('_secret_')[0] ?? '';
const result = (answer: ApiAnswer<PaymentIntent>): PaymentIntentResult =>
  answer.error ? { error: answer.error } : { paymentIntent: answer.value as PaymentIntent };

export async function createPaymentMethod(key: string, data: NewMethod): Promise<PaymentMethodResult> {
  if (data.type !== undefined && data.type !== 'card')
    return refused(`This sandbox makes payment methods of cards only, not of ${data.type}.`);
  if (data.card instanceof CardElement) return data.card.createPaymentMethod(key, data.billing_details ?? {});
  return refused('A card element is needed to make a payment method.');
}

export async function retrieve(key: string, clientSecret: string): Promise<PaymentIntentResult> {
  return result(await read<PaymentIntent>(key, `/v1/payment_intents/${idOf(clientSecret)}`, clientSecret));
}

const shownAmount = ({ amount, currency }: PaymentIntent) =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(amount / 100);

/** Runs the challenge that the intent waits for, tells how it ended and answers what became of the intent. */
async function authenticate(key: string, clientSecret: string, intent: PaymentIntent): Promise<PaymentIntentResult> {
  const outcome = await askForAuthentication(shownAmount(intent));
  const path = `/v1/sandbox/payment_intents/${intent.id}/authenticate`;
  const answer = await post<PaymentIntent>(key, path, { client_secret: clientSecret, outcome });
  if (answer.error || answer.value.status === 'succeeded') return result(answer);
  const error = { ...answer.value.last_payment_error, message: NOT_AUTHENTICATED, payment_intent: answer.value };
  return { error: error as StripeError };
}

async function settled(key: string, clientSecret: string, known: PaymentIntentResult): Promise<PaymentIntentResult> {
  const intent = known.paymentIntent;
  return intent?.status === 'requires_action' ? authenticate(key, clientSecret, intent) : known;
}

export async function handleNextAction(key: string, clientSecret: string): Promise<PaymentIntentResult> {
  const known = await retrieve(key, clientSecret);
  if (known.error || known.paymentIntent.status === 'requires_action') return settled(key, clientSecret, known);
  return refused(
    `handleNextAction: The PaymentIntent supplied is not in the requires_action state (it is ${known.paymentIntent.status}).`,
  );
}

async function methodId(
  key: string,
  wanted: string | NewMethod | undefined,
): Promise<{ id?: string; error?: StripeError }> {
  if (wanted === undefined || typeof wanted === 'string') return { id: wanted };
  const made = await createPaymentMethod(key, wanted);
  return made.error ? { error: made.error } : { id: made.paymentMethod.id };
}

export async function confirm(
  key: string,
  clientSecret: string,
  data: ConfirmData = {},
  handleActions = true,
): Promise<PaymentIntentResult> {
  const method = await methodId(key, data.payment_method);
  if (method.error) return { error: method.error };
  if (!method.id) {
    const known = await retrieve(key, clientSecret);
    if (known.paymentIntent?.status === 'requires_action') return settled(key, clientSecret, known);
  }
  const params = { client_secret: clientSecret, payment_method: method.id, receipt_email: data.receipt_email };
  const confirmed = result(await post<PaymentIntent>(key, `/v1/payment_intents/${idOf(clientSecret)}/confirm`, params));
  return handleActions ? settled(key, clientSecret, confirmed) : confirmed;
}
