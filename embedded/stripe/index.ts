import type { FastifyPluginAsync } from 'fastify';
import { answerRequest, type SandboxContext } from './answerRequest';
import { WebhookSender } from './webhookSender';
import type { StripeSandboxOptions } from './sandboxOptions';
import { sandboxPlugin } from './sandboxPlugin';
import { readKeys, type Keys } from './sandboxKeys';

export { erasePayerData, readPayerData, type Payer } from './personalData';
export { PUBLISHABLE_KEY } from './sandboxKeys';
export type { Fault, SandboxFaults } from './faults';
export type { StripeSandboxOptions } from './sandboxOptions';

export interface StripeSandbox {
  plugin: FastifyPluginAsync;
  /** Lets Stripe's SDK on the server call the sandbox in this process instead of the network. */
  fetch: typeof fetch;
  keys: Keys;
  start(): void;
  stop(): Promise<void>;
}

/** Creates a payment service that Stripe's unmodified SDKs can use, on the server and in the browser. */
export async function openStripeSandbox(options: StripeSandboxOptions): Promise<StripeSandbox> {
  const keys = await readKeys(options.readSecret);
  const webhookSender = new WebhookSender({ ...options, webhookSecret: keys.webhookSecret });
  const context: SandboxContext = { ...options, keys, onChange: webhookSender.wake };
  return {
    plugin: sandboxPlugin(context, options),
    fetch: inProcessFetch(context),
    keys,
    start: () => webhookSender.start(),
    stop: () => webhookSender.stop(),
  };
}

const rejectOnAbort = (signal: AbortSignal) =>
  new Promise<never>((_, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
  );

function inProcessFetch(context: SandboxContext): typeof fetch {
  return async (input, init) => {
    const url = new URL(String(input));
    const { method = 'GET', signal, body: encodedParameters } = init ?? {};
    const requestHeaders = new Headers(init?.headers);
    const header = (name: string) => requestHeaders.get(name) ?? undefined;
    const pendingResponse = answerRequest(context, {
      method,
      path: url.pathname,
      encodedParameters: method === 'GET' ? url.search : String(encodedParameters ?? ''),
      headers: { authorization: header('authorization'), idempotencyKey: header('idempotency-key') },
    });
    const { status, headers, body } = await (signal
      ? Promise.race([pendingResponse, rejectOnAbort(signal)])
      : pendingResponse);
    return new Response(JSON.stringify(body), { status, headers });
  };
}
