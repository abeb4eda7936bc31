import { Client } from 'pg';
import { SettingError } from '../settingParts/readers';

const MIN_MAJOR_VERSION = 15;
const CONNECT_TIMEOUT_MS = 5000;
const ESCAPING_HINT = '. In a password, write #, /, ?, @ and % as %23, %2F, %3F, %40 and %25';

/** Does not quote the URL, because it contains a password. */
function createConnectionError(cause: Error & { code?: string }): SettingError {
  const hint = cause.code === 'ERR_INVALID_URL' ? ESCAPING_HINT : '';
  return new SettingError(`DATABASE_URL names a database that cannot be used: ${cause.message}${hint}.`, { cause });
}

/** @throws SettingError unless DATABASE_URL names a reachable PostgreSQL that is new enough */
export async function checkServer(connectionString: string): Promise<void> {
  let client: Client | undefined;
  try {
    client = new Client({ connectionString, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
    client.on('error', () => undefined);
    await client.connect();
    const { rows } = await client.query<{ server_version_num: string }>('show server_version_num');
    const major = Math.floor(Number(rows[0]!.server_version_num) / 10_000);
    if (major < MIN_MAJOR_VERSION)
      throw new SettingError(
        `DATABASE_URL must name a PostgreSQL ${MIN_MAJOR_VERSION} or newer, not a PostgreSQL ${major}.`,
      );
  } catch (error) {
    throw error instanceof SettingError ? error : createConnectionError(error as Error);
  } finally {
    await client?.end().catch(() => undefined);
  }
}
