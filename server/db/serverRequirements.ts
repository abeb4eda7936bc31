import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { SESSION_SETTINGS } from './database';

/**
 * Tests one feature that the shop needs. A database's name and version are not enough: other databases also call
 * themselves PostgreSQL, and connection poolers change how sessions behave. `client` and `other` are two connections,
 * configured like all of the shop's connections.
 *
 * @returns what is wrong, as the end of a sentence that begins with "DATABASE_URL names"
 */
type Requirement = (client: Client, other: Client) => Promise<string | undefined>;

const MIN_MAJOR_VERSION = 15;
const NOTIFY_TIMEOUT_MS = 3000;
const USE_POSTGRES = 'Use PostgreSQL itself.';

async function readRow<Row extends object>(client: Client, text: string, values?: unknown[]): Promise<Row> {
  const { rows } = await client.query<Row>(text, values);
  return rows[0]!;
}

const checkVersion: Requirement = async (client) => {
  const { server_version_num } = await readRow<{ server_version_num: string }>(client, 'show server_version_num');
  const major = Math.floor(Number(server_version_num) / 10_000);
  return major < MIN_MAJOR_VERSION
    ? `a PostgreSQL ${major}, but the shop needs PostgreSQL ${MIN_MAJOR_VERSION} or newer.`
    : undefined;
};

const checkWritable: Requirement = async (client) => {
  const { readOnly } = await readRow<{ readOnly: string }>(
    client,
    `select current_setting('transaction_read_only') as "readOnly"`,
  );
  return readOnly === 'on' ? 'a read-only database, perhaps a standby. Use the address of the primary.' : undefined;
};

const checkSettings: Requirement = async (client) => {
  for (const [name, value] of Object.entries(SESSION_SETTINGS)) {
    const { found } = await readRow<{ found: string }>(client, 'select current_setting($1) as found', [name]);
    if (found !== value)
      return (
        `a database that ignores the settings that the shop sends when it connects: ${name} is ${found} instead of ${value}. ` +
        `Connect without a connection pooler, or set ${name} for the role with ALTER ROLE.`
      );
  }
  return undefined;
};

/** A pooler in transaction mode lends a client's session to other clients between the client's transactions. */
const checkOwnSessions: Requirement = async (client, other) => {
  const readSession = (from: Client) => readRow<{ pid: number }>(from, 'select pg_backend_pid() as pid');
  const { pid } = await readSession(client);
  await other.query('begin');
  const ofOther = await readSession(other);
  await other.query('rollback');
  return pid === ofOther.pid
    ? 'a connection pooler that shares sessions. Change it to session pooling, or connect to PostgreSQL itself.'
    : undefined;
};

const checkAdvisoryLocks: Requirement = async (client, other) => {
  const key = randomInt(1, 2 ** 31);
  const tryLock = (from: Client) =>
    readRow<{ isLocked: boolean }>(from, 'select pg_try_advisory_lock($1) as "isLocked"', [key]);
  const { isLocked: isFirstLocked } = await tryLock(client);
  const { isLocked: isSecondLocked } = await tryLock(other);
  await Promise.all([client, other].map((from) => from.query('select pg_advisory_unlock_all()')));
  return isFirstLocked && !isSecondLocked
    ? undefined
    : `a database that grants the same advisory lock to two sessions. ${USE_POSTGRES}`;
};

const checkNotifications: Requirement = async (client, other) => {
  const channel = `forgeline_${randomUUID().replaceAll('-', '')}`;
  const timeout = new AbortController();
  const isDelivered = new Promise<boolean>((resolve) => {
    client.once('notification', () => resolve(true));
    void sleep(NOTIFY_TIMEOUT_MS, false, { signal: timeout.signal }).then(resolve, () => undefined);
  });
  await client.query(`listen ${channel}`);
  await other.query('select pg_notify($1, $2)', [channel, '']);
  const hasArrived = await isDelivered;
  timeout.abort();
  await client.query('unlisten *');
  return hasArrived ? undefined : `a database that does not deliver notifications (LISTEN). ${USE_POSTGRES}`;
};

const REQUIREMENTS = [
  checkVersion,
  checkWritable,
  checkSettings,
  checkOwnSessions,
  checkAdvisoryLocks,
  checkNotifications,
];

/** @returns the first problem, as described at `Requirement` */
export async function findUnmetRequirement(client: Client, other: Client): Promise<string | undefined> {
  for (const requirement of REQUIREMENTS) {
    const problem = await requirement(client, other);
    if (problem) return problem;
  }
  return undefined;
}
