interface SentCall {
  call: string;
  body: unknown;
  authorization: string | null;
  prefer: string | null;
}

/** Records the calls that the page makes, and changes nothing. */
export function watchCalls(): SentCall[] {
  const sent: SentCall[] = [];
  const out = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const request = input instanceof Request ? input.clone() : new Request(input, init);
    const { pathname } = new URL(request.url);
    const text = await request.text();
    const body: unknown = text.startsWith('{') ? JSON.parse(text) : undefined;
    const [authorization, prefer] = [request.headers.get('authorization'), request.headers.get('prefer')];
    sent.push({ call: `${request.method} ${decodeURIComponent(pathname)}`, body, authorization, prefer });
    return out(input, init);
  };
  return sent;
}

let restore = () => {};
afterEach(() => restore());

/** Replaces `fetch` until it is restored, at the latest when the test ends. */
export function replaceNetwork(other: (out: typeof fetch) => typeof fetch): () => void {
  const out = globalThis.fetch;
  globalThis.fetch = other(out);
  restore = () => {
    globalThis.fetch = out;
    restore = () => {};
  };
  return restore;
}

/** Holds back what is sent from now on, or only one method, until it is released. */
export function holdRequests(method?: string): () => void {
  let letGo = () => {};
  const gate = new Promise<void>((resolve) => (letGo = resolve));
  const back = replaceNetwork((out) => async (input, init) => {
    if (!method || ((input as Request).method ?? init?.method) === method) await gate;
    return out(input, init);
  });
  return () => {
    back();
    letGo();
  };
}
