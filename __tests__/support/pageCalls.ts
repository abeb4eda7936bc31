interface SentCall {
  call: string;
  body: unknown;
  authorization: string | null;
  prefer: string | null;
}

/** What the page asks of the shop, by this browser's own way out. It changes nothing on its way. */
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

/** Another network, until it is over, at the latest with the test. */
export function replaceNetwork(other: (out: typeof fetch) => typeof fetch): () => void {
  const out = globalThis.fetch;
  globalThis.fetch = other(out);
  restore = () => {
    globalThis.fetch = out;
    restore = () => {};
  };
  return restore;
}

/** What is sent from now on waits until it is let go, or what is sent by one method alone. */
export function holdUp(method?: string): () => void {
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
