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

/** What is sent from now on by this method waits until it is let go. */
export function holdUp(method: string): () => void {
  const out = globalThis.fetch;
  let letGo = () => {};
  const gate = new Promise<void>((resolve) => (letGo = resolve));
  globalThis.fetch = async (input, init) => {
    if (((input as Request).method ?? init?.method) === method) await gate;
    return out(input, init);
  };
  return () => {
    globalThis.fetch = out;
    letGo();
  };
}
