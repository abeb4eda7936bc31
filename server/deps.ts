import type { Access } from './auth/access';
import type { Catalog } from './catalog/catalog';
import type { RateLimit } from './http/rateLimit';
import type { Metrics } from './http/metrics';
import type { SendCached } from './http/cachedResponse';
import type { IdentityVerifier } from './auth/identityProvider';
import type { PaymentContext } from './payments/context';
import type { Settings } from './settings';
import type { AccessTokens } from './auth/accessTokens';

/** Everything the server is made of, given from outside: tests give a clock, faults, a step that waits. */
export interface Deps extends PaymentContext {
  settings: Settings;
  access: Access;
  tokens: AccessTokens;
  identity: IdentityVerifier;
  /** Whether the provider's signed webhook can be checked, and so whether its route is there. */
  webhooks: boolean;
  catalog: Catalog;
  sendCached: SendCached;
  limit: RateLimit;
  metrics: Metrics;
}
