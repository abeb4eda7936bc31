import type { FastifyPluginAsync } from 'fastify';
import type { SandboxContext } from './answer';
import type { Keys } from './callers';
import { Delivery } from './delivery';
import { inProcessFetch } from './inProcess';
import { readKeys } from './keys';
import type { StripeSandboxOptions } from './options';
import { sandboxPlugin } from './plugin';

export { PUBLISHABLE_KEY } from './callers';
export type { Fault, SandboxFaults } from './faults';
export type { StripeSandboxOptions } from './options';

export interface StripeSandbox {
  plugin: FastifyPluginAsync;
  /** For the server's own SDK, in place of the network. */
  fetch: typeof fetch;
  keys: Keys;
  /** Starts to deliver events. */
  start(): void;
  stop(): Promise<void>;
}

/** A Stripe-compatible payment service, for the unchanged SDKs of the server and of the browser. */
export async function openStripeSandbox(options: StripeSandboxOptions): Promise<StripeSandbox> {
  const { db, publicUrl, deliver, faults, readSecret } = options;
  const { now = () => new Date(), wantedEvents = null, onError = () => undefined } = options;
  const keys = await readKeys(readSecret);
  const delivery = new Delivery({ db, now, deliver, faults, onError, webhookSecret: keys.webhookSecret });
  const context: SandboxContext = { db, keys, now, publicUrl, wantedEvents, faults, onChange: delivery.wake };
  return {
    plugin: sandboxPlugin(context, options),
    fetch: inProcessFetch(context),
    keys,
    start: () => delivery.start(),
    stop: () => delivery.stop(),
  };
}
