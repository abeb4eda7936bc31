import type { Db } from '../../db/open';
import type { RateLimit } from '../../limits';
import type { Body } from './body';

export const EMBEDDED_PROJECT_ID = 'forgeline-local';
export const GOOGLE = 'google.com';

export interface IdentityServiceDeps {
  db: Db;
  /** Google chooser and verified addresses: in the demo only. */
  demo: boolean;
  publicUrl: string;
  now: () => Date;
  limit: RateLimit;
}

export type Call = (service: IdentityServiceDeps, body: Body, ip: string) => Promise<object>;
