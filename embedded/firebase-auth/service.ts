import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { FastifyRequest } from 'fastify';

export type Body = Readonly<Record<string, unknown>>;

export const PROJECT_ID = 'forgeline-local';
export const GOOGLE = 'google.com';

/** Drizzle's queries, whatever tables the application knows. */
export type Tx = Pick<NodePgDatabase, 'select' | 'insert' | 'update' | 'delete' | 'execute'>;
export interface Db extends Tx {
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
}

export interface RateLimit {
  /** Counts one hit. It is called before the work, so that a burst gets no more tries than a queue. */
  hit(bucket: string, max: number, windowSeconds: number): Promise<{ ok: boolean; retryAfterSeconds: number }>;
  /** Undoes one hit of each bucket. */
  undo(buckets: string[]): Promise<void>;
}

export interface FirebaseAuthOptions {
  db: Db;
  /** The origin at which browsers reach this service. */
  publicUrl: string;
  /** This folder: the chooser's page and the list of common passwords are read from it. */
  folder: string;
  /** Offers the stand-in for Google and treats its addresses as verified. Otherwise no address is verified. */
  demo: boolean;
  /** An advisory lock that nothing else on this database uses. */
  keyLock: number;
  rateLimit: RateLimit;
  /**
   * The form in which an email address is stored and compared.
   * @returns undefined for text that is no email address
   */
  normalizeEmail: (typed: string) => string | undefined;
  /** Maps an IP address to the key that the rate limits count: the address itself, or its network. */
  clientNetwork: (address: string) => string;
  /** The status of an error that this service did not raise. 500 is logged as a bug, above 500 is a passing fault. */
  statusOfError: (error: unknown) => { status: number; headers?: Record<string, string> };
  /** The sentence that refuses one of the 10,000 most common passwords. */
  commonPasswordMessage: string;
  now?: () => Date;
  /** Two to this power is scrypt's N. The default is PASSWORD_COST. */
  passwordCost?: number;
  /** Ends what the application gave this person, in the transaction that ends the sessions here. */
  endAppSessions?: (tx: Tx, localId: string, at: Date) => Promise<void>;
  logEvent?: (request: FastifyRequest, event: SecurityEvent, fields: EventFields) => void;
  /** Adds facts to the request's line in the application's log. */
  annotate?: (request: FastifyRequest, facts: RequestFacts) => void;
}

/** The options with their defaults, and the list of common passwords. */
export interface Service extends FirebaseAuthOptions {
  now: () => Date;
  isCommonPassword: (password: string) => Promise<boolean>;
}

export type SecurityEvent = 'sign-in refused' | 'account removed' | 'session ended';
export interface EventFields {
  userId?: string;
  code?: string;
}
export interface RequestFacts {
  /** Whose account the request is about. */
  userId?: string;
  /** The code of the error that the request was answered with. */
  refusalCode?: string;
}

/** Logs a security event of the request that is being answered. */
export type ReportSecurityEvent = (event: SecurityEvent, fields: EventFields) => void;

export type IdentityCall = (
  service: Service,
  body: Body,
  network: string,
  report: ReportSecurityEvent,
) => Promise<object>;
