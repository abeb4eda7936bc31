import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { FastifyRequest } from 'fastify';
import type { Pool } from 'pg';
import type { SandboxFaults } from './faults';

/** Drizzle's query methods, independent of the application's schema, and the pool below them. */
export type Db = Pick<NodePgDatabase, 'select' | 'insert' | 'update' | 'delete'> & { $client: Pick<Pool, 'query'> };

export interface StripeSandboxOptions {
  db: Db;
  /** The origin at which browsers reach this service. */
  publicUrl: string;
  /** The folder of the bundled scripts of `browser/`: stripe.js, card.js and challenge.js. */
  scriptsFolder: string;
  /**
   * Stores a new secret, unless one with that name exists.
   * @returns the stored secret, which all instances of the application share
   */
  readSecret: (name: string, fresh: string) => Promise<string>;
  /**
   * Receives a signed event, as Stripe would send it to the webhook.
   * @returns the status of the webhook's response. With 200 to 299 the event is delivered.
   */
  deliver: (rawBody: string, signature: string) => Promise<number>;
  /** The status of an error that this service did not throw. 500 is logged as a bug, above 500 is a temporary fault. */
  statusOfError: (error: unknown) => { status: number };
  now?: () => Date;
  /** The event types that the webhook wants. The default is all of them. */
  wantedEvents?: readonly string[];
  onError?: (error: unknown) => void;
  /** Adds an error's code to the application's log line of the request. */
  annotate?: (request: FastifyRequest, facts: { refusalCode?: string }) => void;
  /** Simulated faults of calls and of event delivery, for tests. */
  faults?: SandboxFaults;
}
