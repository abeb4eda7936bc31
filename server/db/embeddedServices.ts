import { join } from 'node:path';
import { is } from 'drizzle-orm';
import { PgTable } from 'drizzle-orm/pg-core';
import type { ClientBase } from 'pg';
import * as identity from '../../embedded/firebase-auth/schema';
import * as sandbox from '../../embedded/stripe/schema';
import { findProjectRoot } from '../projectRoot';
import type { Settings } from '../settings/settings';

/** An embedded service that stores data. Its PostgreSQL schema exists only in the database of a shop that runs it. */
export interface EmbeddedService {
  schema: string;
  tables: PgTable[];
  migrationsFolder: string;
}

export const tablesIn = (definitions: object) =>
  Object.values(definitions).filter((value): value is PgTable => is(value, PgTable));
const migrationsOf = (name: string) => join(findProjectRoot(), 'embedded', name, 'migrations');

const IDENTITY: EmbeddedService = {
  schema: identity.identitySchema.schemaName,
  tables: tablesIn(identity),
  migrationsFolder: migrationsOf('firebase-auth'),
};
const SANDBOX: EmbeddedService = {
  schema: sandbox.sandboxSchema.schemaName,
  tables: tablesIn(sandbox),
  migrationsFolder: migrationsOf('stripe'),
};
export const EMBEDDED_SERVICES = [IDENTITY, SANDBOX];

/** @returns the services that run because no vendor is configured */
export const embeddedServicesOf = (settings: Pick<Settings, 'identity' | 'payments'>): EmbeddedService[] => [
  ...(settings.identity.kind === 'embedded' ? [IDENTITY] : []),
  ...(settings.payments.kind === 'sandbox' ? [SANDBOX] : []),
];

/** @returns the services with tables in this database. A shop that has changed to a vendor keeps them. */
export async function findStoredServices(client: Pick<ClientBase, 'query'>): Promise<EmbeddedService[]> {
  const { rows } = await client.query<{ name: string }>('select nspname as name from pg_namespace');
  return EMBEDDED_SERVICES.filter(({ schema }) => rows.some(({ name }) => name === schema));
}

export const hasStoredAccounts = async (client: Pick<ClientBase, 'query'>) =>
  (await findStoredServices(client)).includes(IDENTITY);
