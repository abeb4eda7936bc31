import { answerRequest, type SandboxContext } from './answer';

const aborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
  );

/** What `fetch` would do for the server's own SDK, without a network between. */
export function inProcessFetch(context: SandboxContext): typeof fetch {
  return async (input, init) => {
    const url = new URL(String(input));
    const { method = 'GET', signal, body: encoded } = init ?? {};
    const given = new Headers(init?.headers);
    const header = (name: string) => given.get(name) ?? undefined;
    const answering = answerRequest(context, {
      method,
      path: url.pathname,
      encoded: method === 'GET' ? url.search : String(encoded ?? ''),
      headers: { authorization: header('authorization'), idempotencyKey: header('idempotency-key') },
    });
    const { status, headers, body } = await (signal ? Promise.race([answering, aborted(signal)]) : answering);
    return new Response(JSON.stringify(body), { status, headers });
  };
}
