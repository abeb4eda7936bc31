import type { Logger } from 'pino';
import type { Access } from './access';
import type { Catalogue } from './catalogue';
import type { Db } from './db/open';
import type { RateLimit } from './limits';
import type { Metrics } from './metrics';
import type { SendPrepared } from './prepared';
import type { IdentityVerifier } from './providers/identity';
import type { Payments } from './providers/payments';
import type { Settings } from './settings';
import type { AccessTokens } from './tokens';

/** Everything the server is made of, given from outside: tests give a clock, faults, a step that waits. */
export interface Deps {
  settings: Settings;
  db: Db;
  access: Access;
  tokens: AccessTokens;
  identity: IdentityVerifier;
  payments: Payments;
  /** Whether the provider's signed webhook can be checked, and so whether its route is there. */
  webhooks: boolean;
  catalogue: Catalogue;
  sendPrepared: SendPrepared;
  limit: RateLimit;
  metrics: Metrics;
  /** Aborted when the server begins to stop. */
  closing: AbortSignal;
  log: Logger;
  now: () => Date;
  /** Called exactly before a named step, so that a test can run a second request there. */
  before: (step: string) => Promise<void>;
}

/** What settling payments and ending holds take, beside the server too. */
export type Bookkeeping = Pick<Deps, 'db' | 'payments' | 'catalogue' | 'metrics' | 'log' | 'now' | 'before'>;
