import { Client } from 'pg';
import { SettingError } from '../settings';

const OLDEST = 15;
const CONNECT_WITHIN_MS = 5000;

/** A database that was given must be there and new enough, or the start ends with one sentence. */
export async function checkServer(connectionString: string): Promise<void> {
  const client = new Client({ connectionString, connectionTimeoutMillis: CONNECT_WITHIN_MS });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ server_version_num: string }>('show server_version_num');
    const major = Math.floor(Number(rows[0]!.server_version_num) / 10_000);
    if (major < OLDEST)
      throw new SettingError(`DATABASE_URL names a PostgreSQL ${major}: Forgeline needs ${OLDEST} or newer.`);
  } catch (error) {
    if (error instanceof SettingError) throw error;
    throw new SettingError(`DATABASE_URL names a database that cannot be used: ${(error as Error).message}.`, {
      cause: error,
    });
  } finally {
    await client.end().catch(() => undefined);
  }
}
