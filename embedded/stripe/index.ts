import type { FastifyPluginAsync } from 'fastify';
import { answerRequest, type SandboxContext } from './answer';
import { Delivery } from './delivery';
import type { StripeSandboxOptions } from './sandboxOptions';
import { sandboxPlugin } from './sandboxPlugin';
import { readKeys, type Keys } from './sandboxKeys';

export { PUBLISHABLE_KEY } from './sandboxKeys';
export type { Fault, SandboxFaults } from './faults';
export type { StripeSandboxOptions } from './sandboxOptions';

export interface StripeSandbox {
  plugin: FastifyPluginAsync;
  /** For the server's own SDK. It calls the sandbox in this process instead of the network. */
  fetch: typeof fetch;
  keys: Keys;
  /** Starts delivering events. */
  start(): void;
  stop(): Promise<void>;
}

/** Opens a Stripe-compatible payment service that Stripe's unchanged server and browser SDKs can use. */
export async function openStripeSandbox(options: StripeSandboxOptions): Promise<StripeSandbox> {
  const { db, publicUrl, deliver, faults, readSecret } = options;
  const { now = () => new Date(), wantedEvents = null, onError = () => undefined } = options;
  const keys = await readKeys(readSecret);
  const delivery = new Delivery({ db, now, deliver, wantedEvents, faults, onError, webhookSecret: keys.webhookSecret });
  const context: SandboxContext = { db, keys, now, publicUrl, wantedEvents, faults, onChange: delivery.wake };
  return {
    plugin: sandboxPlugin(context, options),
    fetch: inProcessFetch(context),
    keys,
    start: () => delivery.start(),
    stop: () => delivery.stop(),
  };
}

const rejectOnAbort = (signal: AbortSignal) =>
  new Promise<never>((_, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
  );

/** A `fetch` for the server's own SDK that calls the sandbox in this process. */
function inProcessFetch(context: SandboxContext): typeof fetch {
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
    const { status, headers, body } = await (signal ? Promise.race([answering, rejectOnAbort(signal)]) : answering);
    return new Response(JSON.stringify(body), { status, headers });
  };
}
