import type { PaymentIntent, PaymentIntentResult, PaymentMethodResult, StripeError } from '@stripe/stripe-js';
import { post, read, type ApiResponse } from './api';
import { CardElement } from './cardElement';
import { askForAuthentication } from './challengeDialog';
import type { BillingDetails } from './messages';

export interface PaymentMethodData {
  type?: string;
  card?: unknown;
  billing_details?: BillingDetails;
}
export interface ConfirmData {
  payment_method?: string | PaymentMethodData;
  receipt_email?: string;
}

const INVALID_REQUEST: StripeError['type'] = 'invalid_request_error';
const NOT_AUTHENTICATED =
  'We are unable to authenticate your payment method. Please choose a different payment method and try again.';
const invalidRequest = (message: string) => ({ error: { type: INVALID_REQUEST, message } });
const idOf = (clientSecret: string) => clientSecret.split('_secret_')[0] ?? '';
const toResult = (response: ApiResponse<PaymentIntent>): PaymentIntentResult =>
  response.error ? { error: response.error } : { paymentIntent: response.value as PaymentIntent };

export async function createPaymentMethod(key: string, data: PaymentMethodData): Promise<PaymentMethodResult> {
  if (data.type !== undefined && data.type !== 'card')
    return invalidRequest(`This sandbox only creates payment methods for cards, not for ${data.type}.`);
  if (data.card instanceof CardElement) return data.card.createPaymentMethod(key, data.billing_details ?? {});
  return invalidRequest('A card element is required to create a payment method.');
}

export async function retrieve(key: string, clientSecret: string): Promise<PaymentIntentResult> {
  return toResult(await read<PaymentIntent>(key, `/v1/payment_intents/${idOf(clientSecret)}`, clientSecret));
}

const formatAmount = ({ amount, currency }: PaymentIntent) =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(amount / 100);

/** Shows the challenge that the intent requires and reports its outcome to the sandbox. */
async function authenticate(key: string, clientSecret: string, intent: PaymentIntent): Promise<PaymentIntentResult> {
  const outcome = await askForAuthentication(formatAmount(intent));
  const path = `/v1/sandbox/payment_intents/${intent.id}/authenticate`;
  const response = await post<PaymentIntent>(key, path, { client_secret: clientSecret, outcome });
  if (response.error || response.value.status === 'succeeded') return toResult(response);
  const error = { ...response.value.last_payment_error, message: NOT_AUTHENTICATED, payment_intent: response.value };
  return { error: error as StripeError };
}

async function authenticateIfRequired(
  key: string,
  clientSecret: string,
  current: PaymentIntentResult,
): Promise<PaymentIntentResult> {
  const intent = current.paymentIntent;
  return intent?.status === 'requires_action' ? authenticate(key, clientSecret, intent) : current;
}

export async function handleNextAction(key: string, clientSecret: string): Promise<PaymentIntentResult> {
  const current = await retrieve(key, clientSecret);
  if (current.error || current.paymentIntent.status === 'requires_action')
    return authenticateIfRequired(key, clientSecret, current);
  return invalidRequest(
    `handleNextAction: The PaymentIntent supplied is not in the requires_action state (it is ${current.paymentIntent.status}).`,
  );
}

async function resolveMethodId(
  key: string,
  data: string | PaymentMethodData | undefined,
): Promise<{ id?: string; error?: StripeError }> {
  if (data === undefined || typeof data === 'string') return { id: data };
  const created = await createPaymentMethod(key, data);
  return created.error ? { error: created.error } : { id: created.paymentMethod.id };
}

export async function confirm(
  key: string,
  clientSecret: string,
  data: ConfirmData = {},
  handleActions = true,
): Promise<PaymentIntentResult> {
  const method = await resolveMethodId(key, data.payment_method);
  if (method.error) return { error: method.error };
  if (!method.id) {
    const current = await retrieve(key, clientSecret);
    if (current.paymentIntent?.status === 'requires_action') return authenticateIfRequired(key, clientSecret, current);
  }
  const params = { client_secret: clientSecret, payment_method: method.id, receipt_email: data.receipt_email };
  const confirmed = toResult(
    await post<PaymentIntent>(key, `/v1/payment_intents/${idOf(clientSecret)}/confirm`, params),
  );
  return handleActions ? authenticateIfRequired(key, clientSecret, confirmed) : confirmed;
}
