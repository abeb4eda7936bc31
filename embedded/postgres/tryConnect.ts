import { closeSync, openSync, readSync } from 'node:fs';
import { endianness } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import type { PostgresAddress } from './postgresAddress';
import type { DataFolder } from './dataFolder';
import { SUPERUSER } from './serverOptions';

/**
 * - `busy`: a postmaster is starting, stopping or has no free connection.
 * - `silent`: no postmaster of this cluster responded, or it closed the connection.
 */
export type ConnectionResult = Client | 'busy' | 'silent';

const BUSY_CODES = ['57P03', '53300'];
const SILENT_CODES = ['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', '57P01', '57P02'];
const CONNECTION_LOST = /Connection terminated|timeout expired/;

const codeOf = (error: unknown) => (error as { code?: string }).code ?? '';

export function isConnectionLost(error: unknown): boolean {
  return (
    [...BUSY_CODES, ...SILENT_CODES].includes(codeOf(error)) ||
    (error instanceof Error && CONNECTION_LOST.test(error.message))
  );
}

/** Reads the system identifier, the first eight bytes of pg_control. It is unique to each cluster. */
function readSystemIdentifier(cluster: string): string {
  const bytes = Buffer.alloc(8);
  const file = openSync(join(cluster, 'global', 'pg_control'), 'r');
  readSync(file, bytes, 0, 8, 0);
  closeSync(file);
  return String(endianness() === 'LE' ? bytes.readBigUInt64LE() : bytes.readBigUInt64BE());
}

async function isSameCluster(client: Client, cluster: string): Promise<boolean> {
  const { rows } = await client.query<{ id: string }>('select system_identifier::text as id from pg_control_system()');
  return rows[0]?.id === readSystemIdentifier(cluster);
}

export async function tryConnect(
  dataFolder: DataFolder,
  { host, port, password }: PostgresAddress,
): Promise<ConnectionResult> {
  const client = new Client({
    host,
    port,
    password,
    user: SUPERUSER,
    database: 'postgres',
    ssl: false,
    connectionTimeoutMillis: 3_000,
    application_name: 'forgeline lock holder',
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    if (await isSameCluster(client, dataFolder.cluster)) return client;
  } catch (error) {
    if (!isConnectionLost(error)) throw error;
    if (BUSY_CODES.includes(codeOf(error))) return 'busy';
  }
  client.end().catch(() => undefined);
  return 'silent';
}
