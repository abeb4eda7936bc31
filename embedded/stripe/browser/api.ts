import type { StripeError } from '@stripe/stripe-js';

type Params = { [name: string]: string | null | undefined | Params };
export type ApiResponse<T> = { value: T; error?: undefined } | { error: StripeError; value?: undefined };

const MAX_TRIES = 3;
const RETRY_DELAY_MS = 400;
const UNREACHABLE: StripeError = {
  type: 'api_connection_error',
  message: 'We could not reach the payment service. Please check your internet connection and try again.',
};

function encode(params: Params, prefix = ''): [string, string][] {
  return Object.entries(params).flatMap(([name, value]) => {
    const path = prefix ? `${prefix}[${name}]` : name;
    if (value === null || value === undefined) return [];
    return typeof value === 'string' ? [[path, value] as [string, string]] : encode(value, path);
  });
}

/** `crypto.randomUUID` would be simpler, but it exists only on https pages and on localhost. */
const newIdempotencyKey = () =>
  [...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(36)).join('-');

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const isRetryable = (status: number) => status >= 500 || status === 429 || status === 409;

async function send(path: string, init: RequestInit): Promise<{ status: number; body: unknown }> {
  try {
    const response = await fetch(path, init);
    return { status: response.status, body: await response.json() };
  } catch {
    return { status: 503, body: { error: UNREACHABLE } };
  }
}

/** Retries with the same idempotency key, so that a lost response never causes a second effect. */
async function sendWithRetries<T>(path: string, init: RequestInit): Promise<ApiResponse<T>> {
  for (let attempt = 1; ; attempt += 1) {
    const { status, body } = await send(path, init);
    if (status < 400) return { value: body as T };
    if (!isRetryable(status) || attempt === MAX_TRIES) return body as { error: StripeError };
    await pause(RETRY_DELAY_MS * attempt);
  }
}

export function post<T>(key: string, path: string, params: Params): Promise<ApiResponse<T>> {
  const headers = { authorization: `Bearer ${key}`, 'idempotency-key': newIdempotencyKey() };
  return sendWithRetries(path, { method: 'POST', headers, body: new URLSearchParams(encode(params)) });
}

/** Sends the client secret in a header, because URLs end up in logs. */
export function read<T>(key: string, path: string, clientSecret: string): Promise<ApiResponse<T>> {
  return sendWithRetries(path, {
    headers: { authorization: `Bearer ${key}`, 'forgeline-client-secret': clientSecret },
  });
}
