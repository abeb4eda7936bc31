import type { AccessGuards } from './auth/access';
import type { Catalog } from './catalog/catalog';
import type { RateLimit } from './http/rateLimit';
import type { Metrics } from './http/metrics';
import type { SendCached } from './http/cachedResponse';
import type { VerifyIdToken } from './auth/firebaseTokens';
import type { PaymentContext } from './payments/context';
import type { Settings } from './settings/settings';
import type { AccessTokens } from './auth/accessTokens';

/** The dependencies of routes. Tests replace some of them, for example the clock and the checkpoints. */
export interface Deps extends PaymentContext {
  settings: Settings;
  access: AccessGuards;
  tokens: AccessTokens;
  verifyIdToken: VerifyIdToken;
  /** Whether the shop can verify webhook signatures. Otherwise there is no webhook route. */
  hasWebhooks: boolean;
  catalog: Catalog;
  sendCached: SendCached;
  limit: RateLimit;
  metrics: Metrics;
}
