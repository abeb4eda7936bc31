import { setTimeout as sleep } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import type { PoolClient, PoolConfig } from 'pg';
import type { Logger } from 'pino';
import { SettingError } from '../settingParts/readers';
import { openPool, type Db, type Queries } from './database';
import { SHOP_ID_SECRET } from './generatedSecrets';
import { databaseErrorOf } from './retryConflicts';
import * as schema from './schema';

/** A list waits at most this long for the standby to catch up. Then it is read from the primary instead. */
const MAX_REPLAY_WAIT_MS = 100;
const POLL_MS = 5;
const CONNECT_TIMEOUT_MS = 500;
/** If the standby does not respond within this time, its connection is closed and the list is read from the primary. */
const CHECK_TIMEOUT_MS = 500;
/** After a failure or a timeout, all lists are read from the primary for this long. */
const PAUSE_MS = 5_000;
const MAX_CONNECTIONS = 5;
/** PostgreSQL's codes for a wrong user or password (28) or an unknown database (3D). */
const LOGIN_REFUSED_CODES = /^(28|3D)/;

/** Runs one query on the standby, or on the primary if the standby cannot be used. */
export type RunListQuery = <T>(query: (db: Queries) => Promise<T>) => Promise<T>;

export interface StandbyReads {
  /**
   * Must be called once for each request. The queries that the returned function runs see every write that any server
   * acknowledged before this call.
   */
  begin(): Promise<RunListQuery>;
  close(): Promise<void>;
}

const primaryOnly = (db: Db): StandbyReads => ({
  begin: () => Promise.resolve((query) => query(db)),
  close: () => Promise.resolve(),
});

/** @returns a position in the primary's log. With `synchronous_commit`, every acknowledged write is before it. */
async function readLogPosition({ $client }: Db): Promise<string> {
  const { rows } = await $client.query<{ position: string }>('select pg_current_wal_flush_lsn()::text as position');
  return rows[0]!.position;
}

/**
 * The result is also false if the server is no standby, for example because it was promoted. Then lists are read from
 * the primary.
 */
const HAS_REPLAYED = {
  name: 'has replayed',
  query_timeout: CHECK_TIMEOUT_MS,
  text: 'select pg_is_in_recovery() and pg_last_wal_replay_lsn() >= $1::pg_lsn as "hasReplayed"',
};

async function waitUntilReplayed(client: PoolClient, position: string): Promise<void> {
  for (const end = performance.now() + MAX_REPLAY_WAIT_MS; ; await sleep(POLL_MS)) {
    const { rows } = await client.query<{ hasReplayed: boolean | null }>({ ...HAS_REPLAYED, values: [position] });
    if (rows[0]!.hasReplayed) return;
    if (performance.now() > end)
      throw new Error(`The standby has not replayed the newest writes within ${MAX_REPLAY_WAIT_MS} ms.`);
  }
}

/**
 * @throws SettingError if the standby belongs to another shop or refuses the login. Other failures are ignored, because
 * the standby may be reachable later.
 */
async function checkStandby(standby: Db, shopId: string): Promise<void> {
  let found: string | undefined;
  try {
    const rows = await standby.select().from(schema.secrets).where(eq(schema.secrets.name, SHOP_ID_SECRET));
    found = rows[0]?.value;
  } catch (error) {
    const { code = '' } = databaseErrorOf(error);
    if (LOGIN_REFUSED_CODES.test(code))
      throw new SettingError(
        'DATABASE_READ_URL names a database that refuses the login. Check the user, the password and the database name.',
      );
    return;
  }
  if (found !== undefined && found !== shopId)
    throw new SettingError(
      'DATABASE_READ_URL names the database of another shop. Use a standby of the database in DATABASE_URL.',
    );
}

interface StandbyOptions {
  db: Db;
  /** The connection to the standby, if there is one. */
  connection: PoolConfig | undefined;
  shopId: string;
  log: Logger;
}

/**
 * Reads lists of orders from a standby, if there is one. Each request notes the current position in the primary's log.
 * If the standby has replayed the log up to this position, the list is read from the standby, and otherwise from the
 * primary.
 */
export async function openStandbyReads({ db, connection, shopId, log }: StandbyOptions): Promise<StandbyReads> {
  if (!connection) return primaryOnly(db);
  const limits = { connectionTimeoutMillis: CONNECT_TIMEOUT_MS };
  const standby = openPool({ ...connection, ...limits }, () => undefined, MAX_CONNECTIONS);
  const close = () => standby.$client.end();
  await checkStandby(standby, shopId).catch(async (error) => {
    await close();
    throw error;
  });
  let pausedUntil = 0;
  let isFailing = false;

  async function readFromStandby<T>(position: string, query: (db: Queries) => Promise<T>): Promise<T> {
    const client = await standby.$client.connect();
    let hasFailed = true;
    try {
      await waitUntilReplayed(client, position);
      const result = await query(drizzle(client, { schema }));
      hasFailed = false;
      return result;
    } finally {
      client.release(hasFailed);
    }
  }

  function report(error?: Error): void {
    if (error) pausedUntil = performance.now() + PAUSE_MS;
    if (error && !isFailing) log.warn({ err: error }, 'standby cannot be used, reading lists from the primary');
    if (!error && isFailing) log.info('reading lists from the standby again');
    isFailing = error !== undefined;
  }

  async function begin(): Promise<RunListQuery> {
    if (performance.now() < pausedUntil) return (query) => query(db);
    const position = await readLogPosition(db);
    return async (query) => {
      if (performance.now() < pausedUntil) return query(db);
      try {
        const result = await readFromStandby(position, query);
        report();
        return result;
      } catch (error) {
        report(error as Error);
        return query(db);
      }
    };
  }
  return { begin, close };
}
