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

/** What calls need of the session. Tokens never pass through an action. */
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

/** PUT /user/{email}: the one call that carries the provider's token, since it asks for ours. */
const PROVES_IDENTITY = 'signUser';

type Query = BaseQueryFn<string | FetchArgs, unknown, FetchBaseQueryError, CallOptions, CallMeta>;

const fetchCall = fetchBaseQuery({
  baseUrl: '/',
  timeout: REQUEST_TIMEOUT_MS,
  fetchFn: (...request) => fetch(...request),
  prepareHeaders: (headers, { endpoint }) => {
    const token = endpoint === PROVES_IDENTITY ? transientTokens.idToken : accessToken.read();
    if (token) headers.set('authorization', `Bearer ${token}`);
    headers.set('accept', 'application/json');
    return headers;
  },
});

/** The request carries a token, so that it does not become part of an action. */
const send: Query = async (args, api, options) => {
  const { meta, ...answer } = await fetchCall(args, api, options);
  return { ...answer, meta: { response: meta?.response } };
};

let renewal: Promise<boolean> | undefined;

/** All calls in flight that find their token too old share one renewal. */
function renewOnce(extra: ApiExtra): Promise<boolean> {
  renewal ??= extra.renew().finally(() => (renewal = undefined));
  return renewal;
}

const sendAndRenew: Query = async (args, api, options) => {
  const sent = accessToken.read();
  const first = await send(args, api, options);
  if (first.error?.status !== 401 || !sent || api.endpoint === PROVES_IDENTITY) return first;
  try {
    const renewed = accessToken.read() !== sent || (await renewOnce(api.extra as ApiExtra));
    return renewed && accessToken.read() ? await send(args, api, options) : first;
  } catch (error) {
    return { error: error as FetchBaseQueryError };
  }
};

export const backoffMs = (attempt: number) => Math.min(RETRY_FIRST_MS * 2 ** (attempt - 1), RETRY_CAP_MS);

const mayPass = (error: FetchBaseQueryError) =>
  typeof error.status !== 'number' || error.status >= 500 || error.status === 429;

const sendAndRetry = retry(sendAndRenew, {
  retryCondition: (error, _args, { attempt, baseQueryApi }) =>
    baseQueryApi.type === 'query' && attempt <= RETRIES && mayPass(error as FetchBaseQueryError),
  backoff: async (attempt, _max, signal) => {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, backoffMs(attempt));
      signal?.addEventListener('abort', () => (clearTimeout(timer), resolve()));
    });
  },
});

/** Only reads are retried: a retried write could be two. */
export const baseQuery: Query = async (args, api, options) => {
  const { meta, ...answer } = await sendAndRetry(args, api, options);
  return { ...answer, meta: { ...meta, ...options } };
};
