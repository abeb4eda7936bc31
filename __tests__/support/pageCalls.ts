import { shopOrigin } from './api';

interface SentCall {
  call: string;
  body: unknown;
  authorization: string | null;
  prefer: string | null;
}

export function watchCalls(): SentCall[] {
  const sent: SentCall[] = [];
  const originalFetch = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const request = input instanceof Request ? input.clone() : new Request(input, init);
    const { pathname } = new URL(request.url);
    const text = await request.text();
    const body: unknown = text.startsWith('{') ? JSON.parse(text) : undefined;
    const [authorization, prefer] = [request.headers.get('authorization'), request.headers.get('prefer')];
    sent.push({ call: `${request.method} ${decodeURIComponent(pathname)}`, body, authorization, prefer });
    return originalFetch(input, init);
  };
  return sent;
}

let restore = () => {};
afterEach(() => restore());

/**
 * Replaces `fetch`, at most until the test ends.
 * @returns a function that restores it earlier
 */
export function replaceFetch(replacement: (originalFetch: typeof fetch) => typeof fetch): () => void {
  const originalFetch = globalThis.fetch;
  globalThis.fetch = replacement(originalFetch);
  restore = () => {
    globalThis.fetch = originalFetch;
    restore = () => {};
  };
  return restore;
}

/**
 * Replaces the responses to the calls of the page that begin with this method and path.
 * @returns a function that restores them earlier than at the end of the test
 */
export const replaceResponse = (call: string, answer: () => Promise<Response>) =>
  replaceFetch((originalFetch) => (input, init) => {
    const { method, url = '' } = input as Partial<Request>;
    return `${method} ${url.replace(shopOrigin(), '')}`.startsWith(call) ? answer() : originalFetch(input, init);
  });

/**
 * Holds back all requests that follow, or those of one method.
 * @returns a function that releases them
 */
export function holdRequests(method?: string): () => void {
  let release = () => {};
  const gate = new Promise<void>((resolve) => (release = resolve));
  const restoreFetch = replaceFetch((originalFetch) => async (input, init) => {
    if (!method || ((input as Request).method ?? init?.method) === method) await gate;
    return originalFetch(input, init);
  });
  return () => {
    restoreFetch();
    release();
  };
}
