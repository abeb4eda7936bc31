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
  /** The folder with the bundled scripts of `browser/`: stripe.js, card.js and challenge.js. */
  scriptsFolder: string;
  /**
   * Stores `fresh` under this name, unless a secret with that name exists.
   * @returns the stored secret, which is the same for all servers on the database
   */
  readSecret: (name: string, fresh: string) => Promise<string>;
  /**
   * Receives a signed event, as Stripe would send it to the webhook.
   * @returns the status of the webhook's response. From 200 to 299, the event counts as delivered.
   */
  deliver: (rawBody: string, signature: string) => Promise<number>;
  /**
   * Chooses the status for an error that this service did not throw. 500 means a bug. A higher status is a temporary
   * fault.
   */
  statusOfError: (error: unknown) => { status: number };
  now: () => Date;
  onError: (error: unknown) => void;
  /** Adds the code of an error to the request's log line in the application. */
  annotate?: (request: FastifyRequest, facts: { refusalCode?: string }) => void;
  /** Simulated faults of calls and of event delivery, for tests. */
  faults?: SandboxFaults;
}
