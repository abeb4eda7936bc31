import type { PaymentIntent, PaymentIntentResult, PaymentMethodResult, StripeError } from '@stripe/stripe-js';
import { post, read, type ApiResponse } from './api';
import { CardElement } from './cardElement';
import { askForAuthentication } from './challengeDialog';
import type { BillingDetails } from './messages';

export interface PaymentMethodData {
  card?: unknown;
  billing_details?: BillingDetails;
}

const NOT_AUTHENTICATED =
  'We are unable to authenticate your payment method. Please choose a different payment method and try again.';
const idOf = (clientSecret: string) => clientSecret.split('_secret_')[0] ?? '';
const toResult = (response: ApiResponse<PaymentIntent>): PaymentIntentResult =>
  response.error ? { error: response.error } : { paymentIntent: response.value as PaymentIntent };

export async function createPaymentMethod(key: string, data: PaymentMethodData): Promise<PaymentMethodResult> {
  if (data.card instanceof CardElement) return data.card.createPaymentMethod(key, data.billing_details ?? {});
  return {
    error: { type: 'invalid_request_error', message: 'A card element is required to create a payment method.' },
  };
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

export async function confirm(key: string, clientSecret: string, payment_method: string): Promise<PaymentIntentResult> {
  const params = { client_secret: clientSecret, payment_method };
  const path = `/v1/payment_intents/${idOf(clientSecret)}/confirm`;
  const { value: intent, ...failure } = await post<PaymentIntent>(key, path, params);
  if (!intent) return failure as PaymentIntentResult;
  return intent.status === 'requires_action' ? authenticate(key, clientSecret, intent) : { paymentIntent: intent };
}
