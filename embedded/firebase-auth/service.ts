import type { FastifyRequest } from 'fastify';
import type { Db, Tx } from '../../server/db/database';
import type { RateLimit } from '../../server/http/rateLimit';
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
  /** Two to this power is scrypt's N; the default is PASSWORD_COST. */
  passwordCost?: number;
  /** Ends what the application gave this person, in the transaction that ends the sessions here. */
  endAppSessions?: (tx: Tx, localId: string, at: Date) => Promise<void>;
  logEvent: (request: FastifyRequest, event: IdentityEvent, fields: EventFields) => void;
}

export type IdentityEvent = 'sign-in refused' | 'account removed' | 'session ended';
export interface EventFields {
  userId?: string;
  code?: string;
}
/** Logs a security event of the request that is being answered. */
export type Report = (event: IdentityEvent, fields: EventFields) => void;

export type Call = (service: IdentityServiceDeps, body: Body, ip: string, report: Report) => Promise<object>;
