import { Client } from 'pg';
import { SettingError } from '../settings';

const OLDEST = 15;
const CONNECT_WITHIN_MS = 5000;
const HINT = ': in a password write #, /, ?, @ and % as %23, %2F, %3F, %40 and %25';

/** Of an address that cannot be read nothing is said: there is a password in it. */
function cannotBeUsed(cause: Error & { code?: string }): SettingError {
  const hint = cause.code === 'ERR_INVALID_URL' ? HINT : '';
  return new SettingError(`DATABASE_URL names a database that cannot be used: ${cause.message}${hint}.`, { cause });
}

/** A database that was given must be there and new enough, or the start ends with one sentence. */
export async function checkServer(connectionString: string): Promise<void> {
  let client: Client | undefined;
  try {
    client = new Client({ connectionString, connectionTimeoutMillis: CONNECT_WITHIN_MS });
    client.on('error', () => undefined);
    await client.connect();
    const { rows } = await client.query<{ server_version_num: string }>('show server_version_num');
    const major = Math.floor(Number(rows[0]!.server_version_num) / 10_000);
    if (major < OLDEST)
      throw new SettingError(`DATABASE_URL names a PostgreSQL ${major}: Forgeline needs ${OLDEST} or newer.`);
  } catch (error) {
    throw error instanceof SettingError ? error : cannotBeUsed(error as Error);
  } finally {
    await client?.end().catch(() => undefined);
  }
}
