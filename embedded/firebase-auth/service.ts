import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { FastifyRequest } from 'fastify';

export type Body = Readonly<Record<string, unknown>>;

export const PROJECT_ID = 'forgeline-local';
export const GOOGLE_PROVIDER_ID = 'google.com';

/** Drizzle's query methods, independent of the application's schema. */
export type Tx = Pick<NodePgDatabase, 'select' | 'insert' | 'update' | 'delete' | 'execute'>;
export interface Db extends Tx {
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
}

export interface RateLimit {
  /**
   * Counts one hit. Must be called before the limited work, so that parallel requests get no more tries than sequential
   * ones.
   */
  hit(bucket: string, max: number, windowSeconds: number): Promise<{ ok: boolean; retryAfterSeconds: number }>;
  /** Undoes one hit of each bucket. */
  undo(buckets: string[]): Promise<void>;
}

export interface FirebaseAuthOptions {
  db: Db;
  /** The origin at which browsers reach this service. */
  publicUrl: string;
  /**
   * The folder of this module's files. The pages and the list of common passwords are read from it.
   */
  folder: string;
  /** Serves the stand-in for Google, which lets anyone sign in with any email. */
  demo: boolean;
  /** Locks the signing keys until `tx` ends, so that only one transaction at a time replaces a key. */
  lockKeys: (tx: Tx) => Promise<unknown>;
  rateLimit: RateLimit;
  /** Queues an email with a link, in the transaction that stores the code of the link. */
  sendMail: (tx: Tx, mail: LinkMail) => Promise<void>;
  /**
   * Turns an email into the form in which it is stored and compared.
   * @returns undefined for text that is not an email
   */
  normalizeEmail: (typed: string) => string | undefined;
  /** Returns the key under which rate limits count this IP address: the address itself, or its network. */
  clientNetwork: (address: string) => string;
  /**
   * Chooses the status for an error that this service did not throw. 500 means a bug. A higher status is a temporary
   * fault.
   */
  statusOfError: (error: unknown) => { status: number; headers?: Record<string, string> };
  /** The sentence shown when a password is one of the 10,000 most common ones. */
  commonPasswordMessage: string;
  now?: () => Date;
  /** The binary logarithm of scrypt's N. The default is PASSWORD_COST. */
  passwordCost?: number;
  /** Ends the user's sessions in the application too, in the same transaction that ends the sessions here. */
  endAppSessions?: (tx: Tx, localId: string, at: Date) => Promise<void>;
  logEvent?: (request: FastifyRequest, event: SecurityEvent, fields: SecurityEventFields) => void;
  /** Adds fields to the request's log line in the application. */
  annotate?: (request: FastifyRequest, facts: RequestLogFields) => void;
}

export interface LinkMail {
  /** What the link does: it verifies the email, or it sets a new password. */
  requestType: 'VERIFY_EMAIL' | 'PASSWORD_RESET';
  email: string;
  link: string;
  expiresAt: Date;
}

/** What all calls of the service need: its options, its clock, and the check for common passwords. */
export interface IdentityService extends FirebaseAuthOptions {
  now: () => Date;
  isCommonPassword: (password: string) => Promise<boolean>;
}

export type SecurityEvent = 'sign-in refused' | 'account removed' | 'session ended';
export interface SecurityEventFields {
  userId?: string;
  code?: string;
}
export interface RequestLogFields {
  userId?: string;
  /** The `code` of the error response. */
  refusalCode?: string;
}

/** Logs a security event of the current request. */
export type ReportSecurityEvent = (event: SecurityEvent, fields: SecurityEventFields) => void;

export type IdentityCallHandler = (
  service: IdentityService,
  body: Body,
  network: string,
  report: ReportSecurityEvent,
) => Promise<object>;
