import {
  fetchBaseQuery,
  retry,
  type BaseQueryApi,
  type BaseQueryFn,
  type FetchArgs,
  type FetchBaseQueryError,
} from '@reduxjs/toolkit/query';
import { isTransient, isUnanswered } from '../contract/problem';
import { FIRST_RETRY_DELAY_MS, MAX_READ_RETRIES, MAX_RESEND_MS, MAX_RETRY_DELAY_MS } from '../contract/limits';
import { addResend, removeResend } from './resends';
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

interface CallOptions {
  /**
   * What the call sends, for the customer. Only a call that takes effect once however often it is sent has this. It is
   * sent again until an answer comes.
   */
  resends?: string;
}

type ApiBaseQuery = BaseQueryFn<string | FetchArgs, unknown, FetchBaseQueryError, CallOptions, { response?: Response }>;

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

/** Waits, but not longer than until the browser is online again or the call is aborted. */
const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    function end() {
      clearTimeout(timer);
      window.removeEventListener('online', end);
      signal.removeEventListener('abort', end);
      resolve();
    }
    const timer = setTimeout(end, ms);
    window.addEventListener('online', end);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
  });

/** Each try has a signal of its own, because RTK Query never removes its listeners from the signal of a call. */
async function sendOnce(args: string | FetchArgs, { signal, ...api }: BaseQueryApi, options: CallOptions) {
  const attempt = new AbortController();
  const abort = () => attempt.abort(signal.reason);
  signal.addEventListener('abort', abort);
  try {
    return await sendAndRenew(args, { ...api, signal: attempt.signal }, options);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** Ends when an answer comes, the customer gives up or signs out, or after ten minutes. */
const sendUntilAnswered: ApiBaseQuery = async (args, api, options) => {
  const call = new AbortController();
  const { signal } = call;
  api.signal.addEventListener('abort', () => call.abort());
  const send = () => sendOnce(args, { ...api, signal }, options);
  const giveUpAt = Date.now() + MAX_RESEND_MS;
  const mustGiveUp = () => signal.aborted || Date.now() >= giveUpAt;
  let result = await send();
  // Once an answer was lost, a busy shop's refusal does not tell what became of the call.
  const isOpen = (n: number) => isUnanswered(result.error) || (n > 1 && result.error && isTransient(result.error));
  for (let n = 1; options?.resends && isOpen(n) && !mustGiveUp(); n += 1) {
    addResend(call, options.resends);
    await pause(Math.min(backoffMs(n), giveUpAt - Date.now()), signal);
    if (!mustGiveUp()) result = await send();
  }
  removeResend(call);
  return result;
};

/** Retries only reads, because a write could take effect twice. */
export const baseQuery = retry(sendUntilAnswered, {
  retryCondition: (error, _args, { attempt, baseQueryApi }) =>
    baseQueryApi.type === 'query' && attempt <= MAX_READ_RETRIES && isTransient(error),
  backoff: (retryNumber, _max, signal) => pause(backoffMs(retryNumber), signal!),
});
