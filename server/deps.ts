import type { Logger } from 'pino';
import type { Access } from './auth/access';
import type { Catalogue } from './catalog/catalog';
import type { Db } from './db/database';
import type { RateLimit } from './http/rateLimit';
import type { Metrics } from './http/metrics';
import type { SendPrepared } from './http/cachedResponse';
import type { IdentityVerifier } from './auth/identityProvider';
import type { Payments } from './payments/provider';
import type { Settings } from './settings';
import type { AccessTokens } from './auth/accessTokens';

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
