import {
  fetchBaseQuery,
  retry,
  type BaseQueryFn,
  type FetchArgs,
  type FetchBaseQueryError,
} from '@reduxjs/toolkit/query';
import { RETRIES, RETRY_CAP_MS, RETRY_FIRST_MS } from '../contract/limits';
import { accessToken, transientTokens } from './tokens';

const REQUEST_TIMEOUT_MS = 30_000;

const randomHex = (bytes: number) =>
  [...crypto.getRandomValues(new Uint8Array(bytes))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
let traceId = '';

/** The same for all requests of this page load. The server logs it. */
export const pageTrace = (): string => (traceId ||= randomHex(16));

/** The parts of the session that API calls need. Tokens never pass through an action. */
export interface ApiExtra {
  /** @returns false when there is nothing to renew. Rejects with the API's error when a later try may succeed. */
  renew: () => Promise<boolean>;
}

/** Declared with each call. Without it, a failed mutation is shown as a toast. */
interface CallOptions {
  failure?: 'shown in place';
}

interface CallMeta extends CallOptions {
  response?: Response;
}

/** PUT /user/{email}, which exchanges the provider's ID token for an access token. */
const SIGN_IN_ENDPOINT = 'signUser';

type Query = BaseQueryFn<string | FetchArgs, unknown, FetchBaseQueryError, CallOptions, CallMeta>;

const fetchCall = fetchBaseQuery({
  baseUrl: '/',
  timeout: REQUEST_TIMEOUT_MS,
  fetchFn: (...request) => fetch(...request),
  prepareHeaders: (headers, { endpoint }) => {
    const token = endpoint === SIGN_IN_ENDPOINT ? transientTokens.idToken : accessToken.read();
    if (token) headers.set('authorization', `Bearer ${token}`);
    headers.set('accept', 'application/json');
    headers.set('traceparent', `00-${pageTrace()}-${randomHex(8)}-01`);
    return headers;
  },
});

/** Drops the request from `meta`, because it carries a token and `meta` becomes part of an action. */
const send: Query = async (args, api, options) => {
  const { meta, ...result } = await fetchCall(args, api, options);
  return { ...result, meta: { response: meta?.response } };
};

let renewal: Promise<boolean> | undefined;

/** Concurrent calls with an expired token share one renewal. */
function renewOnce(extra: ApiExtra): Promise<boolean> {
  renewal ??= extra.renew().finally(() => (renewal = undefined));
  return renewal;
}

const sendAndRenew: Query = async (args, api, options) => {
  const sentToken = accessToken.read();
  const first = await send(args, api, options);
  if (first.error?.status !== 401 || !sentToken || api.endpoint === SIGN_IN_ENDPOINT) return first;
  try {
    const renewed = accessToken.read() !== sentToken || (await renewOnce(api.extra as ApiExtra));
    return renewed && accessToken.read() ? await send(args, api, options) : first;
  } catch (error) {
    return { error: error as FetchBaseQueryError };
  }
};

export const backoffMs = (attempt: number) => Math.min(RETRY_FIRST_MS * 2 ** (attempt - 1), RETRY_CAP_MS);

const isTransient = (error: FetchBaseQueryError) =>
  typeof error.status !== 'number' || error.status >= 500 || error.status === 429;

const sendAndRetry = retry(sendAndRenew, {
  retryCondition: (error, _args, { attempt, baseQueryApi }) =>
    baseQueryApi.type === 'query' && attempt <= RETRIES && isTransient(error as FetchBaseQueryError),
  backoff: async (attempt, _max, signal) => {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, backoffMs(attempt));
      signal?.addEventListener('abort', () => (clearTimeout(timer), resolve()));
    });
  },
});

/** Retries reads only. A retried write could happen twice. */
export const baseQuery: Query = async (args, api, options) => {
  const { meta, ...result } = await sendAndRetry(args, api, options);
  return { ...result, meta: { ...meta, ...options } };
};
