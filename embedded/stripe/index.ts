import type { FastifyPluginAsync } from 'fastify';
import type { Db } from '../../server/db/database';
import type { Desk } from './answer';
import type { Keys } from './callers';
import { Delivery } from './delivery';
import type { SandboxFaults } from './faults';
import { inProcessFetch } from './inProcess';
import { readKeys } from './keys';
import { sandboxPlugin } from './plugin';

export { PUBLISHABLE_KEY } from './callers';

export interface SandboxDeps {
  db: Db;
  publicUrl: string;
  now: () => Date;
  /** Where signed events go: the shop's own webhook, in process. Answers its status. */
  deliver: (rawBody: string, signature: string) => Promise<number>;
  /** The kinds of events that the webhook is for, as one says at Stripe too; otherwise all. */
  wantedEvents?: readonly string[];
  onError?: (error: unknown) => void;
  faults?: SandboxFaults;
}

export interface Sandbox {
  plugin: FastifyPluginAsync;
  /** For the server's own SDK: no second network hop. */
  fetch: typeof fetch;
  keys: Keys;
  /** Begins to deliver events. */
  start(): void;
  stop(): Promise<void>;
}

export async function openSandbox(deps: SandboxDeps): Promise<Sandbox> {
  const { db, now, publicUrl, deliver, faults, wantedEvents = null, onError = () => undefined } = deps;
  const keys = await readKeys(db);
  const delivery = new Delivery({ db, now, deliver, faults, onError, webhookSecret: keys.webhookSecret });
  const desk: Desk = { db, keys, now, publicUrl, wantedEvents, faults, onChange: delivery.wake };
  return {
    plugin: sandboxPlugin(desk),
    fetch: inProcessFetch(desk),
    keys,
    start: () => delivery.start(),
    stop: () => delivery.stop(),
  };
}
