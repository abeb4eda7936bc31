import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { FastifyRequest } from 'fastify';
import type { Pool } from 'pg';
import type { SandboxFaults } from './faults';

/** Drizzle's queries, whatever tables the application knows, and the pool below. */
export type Db = Pick<NodePgDatabase, 'select' | 'insert' | 'update' | 'delete'> & { $client: Pick<Pool, 'query'> };

export interface StripeSandboxOptions {
  db: Db;
  /** The origin at which browsers reach this service. */
  publicUrl: string;
  /** Where the scripts of `browser/` are, bundled: stripe.js, card.js and challenge.js. */
  scriptsFolder: string;
  /**
   * Stores a new secret, unless there is one of that name.
   * @returns the stored secret, the same for every copy of the application
   */
  readSecret: (name: string, fresh: string) => Promise<string>;
  /**
   * Receives a signed event, as Stripe would send it to the webhook.
   * @returns the status of the answer: from 200 to 299 the event is delivered
   */
  deliver: (rawBody: string, signature: string) => Promise<number>;
  /** The status of an error that this service did not raise. 500 is logged as a bug, above 500 is a passing fault. */
  statusOfError: (error: unknown) => { status: number };
  now?: () => Date;
  /** The types of events that the webhook is for. The default is all of them. */
  wantedEvents?: readonly string[];
  onError?: (error: unknown) => void;
  /** Adds the code of an error to the request's line in the application's log. */
  annotate?: (request: FastifyRequest, facts: { refusalCode?: string }) => void;
  /** Faults of calls and of the delivery of events, for tests. */
  faults?: SandboxFaults;
}
