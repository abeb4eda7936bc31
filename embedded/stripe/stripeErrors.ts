import type Stripe from 'stripe';

export type ErrorBody = Stripe.PaymentIntent.LastPaymentError;

/** Ends a call with an error in Stripe's format. The call has changed nothing. */
export class StripeErrorResponse extends Error {
  constructor(
    readonly status: number,
    readonly error: ErrorBody,
  ) {
    super(error.message);
  }
}

export function invalidRequest(status: number, message: string, code?: string, param?: string): StripeErrorResponse {
  return new StripeErrorResponse(status, {
    type: 'invalid_request_error',
    ...(code ? { code } : {}),
    message,
    ...(param ? { param } : {}),
  });
}

export function cardRefused(code: string, message: string, details: Partial<ErrorBody> = {}): StripeErrorResponse {
  return new StripeErrorResponse(402, { type: 'card_error', code, message, ...details });
}

/**
 * The error as a response, which a handler can store with the idempotency key. A repeated call then gets the same error,
 * even if the object has changed. A thrown error is not stored.
 */
export const errorResponse = ({ status, error }: StripeErrorResponse) => ({ status, body: { error } });

export const missingParameter = (param: string) =>
  invalidRequest(400, `Missing required param: ${param}.`, 'parameter_missing', param);

export const noSuchObject = (noun: string, id: string, param: string) =>
  invalidRequest(404, `No such ${noun}: '${id}'`, 'resource_missing', param);
