import type { Access } from './auth/access';
import type { Catalog } from './catalog/catalog';
import type { ListDatabase } from './db/listDatabase';
import type { RateLimit } from './http/rateLimit';
import type { Metrics } from './http/metrics';
import type { SendCached } from './http/cachedResponse';
import type { IdentityVerifier } from './auth/identityProvider';
import type { PaymentContext } from './payments/context';
import type { Settings } from './settings';
import type { AccessTokens } from './auth/accessTokens';

/** Everything that routes receive. Tests replace parts of it, to set the clock, inject faults and pause at a step. */
export interface Deps extends PaymentContext {
  settings: Settings;
  access: Access;
  tokens: AccessTokens;
  identity: IdentityVerifier;
  /** Whether webhook signatures can be verified. Without that, the webhook route does not exist. */
  webhooks: boolean;
  catalog: Catalog;
  lists: ListDatabase;
  sendCached: SendCached;
  limit: RateLimit;
  metrics: Metrics;
}
