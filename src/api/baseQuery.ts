import {
  fetchBaseQuery,
  retry,
  type BaseQueryFn,
  type FetchArgs,
  type FetchBaseQueryError,
} from '@reduxjs/toolkit/query';
import { isTransient } from '../contract/problem';
import { MAX_READ_RETRIES, MAX_RETRY_DELAY_MS, FIRST_RETRY_DELAY_MS } from '../contract/limits';
import { accessToken, transientTokens } from './tokens';

const REQUEST_TIMEOUT_MS = 30_000;

const randomHex = (bytes: number) =>
  [...crypto.getRandomValues(new Uint8Array(bytes))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
/** All requests of a page load have the same trace id, so that they can be found in the server's log. */
const pageTraceId = randomHex(16);

/**
 * What API calls need from the session. It is RTK Query's `extra` argument, because tokens must never become part of an
 * action.
 */
export interface ApiExtra {
  /**
   * @returns false if there is no session, or if the session has ended
   * @throws the API's error if a later try may succeed
   */
  renew: () => Promise<boolean>;
}

/** The endpoint of PUT /user/{email}. It exchanges the identity provider's ID token for an access token. */
const SIGN_IN_ENDPOINT = 'signInUser';

function tokenFor(endpoint: string): string | null {
  if (endpoint === SIGN_IN_ENDPOINT) return transientTokens.idToken;
  return endpoint === 'endSession' ? transientTokens.endedAccessToken : accessToken.read();
}

type ApiBaseQuery = BaseQueryFn<string | FetchArgs, unknown, FetchBaseQueryError, object, { response?: Response }>;

const fetchCall = fetchBaseQuery({
  baseUrl: '/',
  timeout: REQUEST_TIMEOUT_MS,
  fetchFn: (...request) => fetch(...request),
  prepareHeaders: (headers, { endpoint }) => {
    const token = tokenFor(endpoint);
    if (token) headers.set('authorization', `Bearer ${token}`);
    headers.set('accept', 'application/json');
    headers.set('traceparent', `00-${pageTraceId}-${randomHex(8)}-01`);
    return headers;
  },
});

/** Leaves the request out of `meta`. The request contains a token, and RTK Query copies `meta` into an action. */
const send: ApiBaseQuery = async (args, api, options) => {
  const { meta, ...result } = await fetchCall(args, api, options);
  return { ...result, meta: { response: meta?.response } };
};

let renewal: Promise<boolean> | undefined;

/** Concurrent calls share one renewal of the access token. */
function renewOnce(extra: ApiExtra): Promise<boolean> {
  renewal ??= extra.renew().finally(() => (renewal = undefined));
  return renewal;
}

const sendAndRenew: ApiBaseQuery = async (args, api, options) => {
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

export const backoffMs = (retryNumber: number) =>
  Math.min(FIRST_RETRY_DELAY_MS * 2 ** (retryNumber - 1), MAX_RETRY_DELAY_MS);

/** Retries only reads, because a write could take effect twice. */
export const baseQuery = retry(sendAndRenew, {
  retryCondition: (error, _args, { attempt, baseQueryApi }) =>
    baseQueryApi.type === 'query' && attempt <= MAX_READ_RETRIES && isTransient(error),
  backoff: async (retryNumber, _max, signal) => {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, backoffMs(retryNumber));
      signal?.addEventListener('abort', () => (clearTimeout(timer), resolve()));
    });
  },
});
