import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import type { Client, PoolClient } from 'pg';
import type { DatabaseFeatureSet } from '../settings';
import type { Db, Tx } from './database';

type LockName = 'demo' | 'identity keys' | 'migration' | 'sweep';

/** Arbitrary numbers, so that other programs on this database are unlikely to use the same ones. */
export const ADVISORY_LOCKS = { migration: 7_302_604_417, sweep: 7_302_604_420 } as const;
type AdvisoryLockName = keyof typeof ADVISORY_LOCKS;

const LEASE_SECONDS = 20;
const RENEW_INTERVAL_MS = 5_000;
const MIGRATION_RETRY_MS = 500;

/** Waits for other transactions with this lock, and holds it until the transaction ends. */
export const lockInTransaction = (tx: Pick<Tx, 'execute'>, name: LockName) =>
  tx.execute(sql`insert into locks (name) values (${name}) on conflict (name) do update set name = excluded.name`);

const TAKE_LEASE = `
  insert into locks (name, owner, leased_until) values ($1, $2, now() + make_interval(secs => $3))
  on conflict (name) do update set owner = excluded.owner, leased_until = excluded.leased_until
  where locks.owner is null or locks.owner = excluded.owner or locks.leased_until < now()`;
const END_LEASE = 'update locks set owner = null where name = $1 and owner = $2';

/**
 * Runs the work unless another server holds the lease. An expired lease means that its owner died.
 * @returns whether the work ran
 */
async function withLease(
  client: Client | PoolClient,
  name: AdvisoryLockName,
  work: () => Promise<void>,
): Promise<boolean> {
  const owner = randomUUID();
  const takeLease = () => client.query(TAKE_LEASE, [name, owner, LEASE_SECONDS]);
  if ((await takeLease()).rowCount === 0) return false;
  // A failed renewal needs no handling, because the lease lasts long enough for several more.
  const renewal = setInterval(() => void takeLease().catch(() => undefined), RENEW_INTERVAL_MS);
  try {
    await work();
  } finally {
    clearInterval(renewal);
    await client.query(END_LEASE, [name, owner]);
  }
  return true;
}

async function withAdvisoryLock(client: PoolClient, name: AdvisoryLockName, work: () => Promise<void>): Promise<void> {
  const key = ADVISORY_LOCKS[name];
  const { rows } = await client.query<{ isLocked: boolean }>('select pg_try_advisory_lock($1) as "isLocked"', [key]);
  if (!rows[0]!.isLocked) return;
  await work();
  await client.query('select pg_advisory_unlock($1)', [key]);
}

/** Runs the work unless another server is running it. */
export async function runOnOneServer(
  db: Db,
  features: DatabaseFeatureSet,
  name: AdvisoryLockName,
  work: () => Promise<void>,
): Promise<void> {
  const client = await db.$client.connect();
  let isBroken = false;
  try {
    await (features === 'full' ? withAdvisoryLock(client, name, work) : withLease(client, name, work));
  } catch (error) {
    isBroken = true;
    throw error;
  } finally {
    client.release(isBroken);
  }
}

/** The migration's lease is a row of this table, which does not exist before the first migration. */
const CREATE_LOCKS = 'create table if not exists locks (name text primary key, owner uuid, leased_until timestamptz)';

/**
 * Waits until no other server migrates, and runs the migration. The advisory lock ends with the connection.
 * @param leaseClient a second connection for the lease that replaces the advisory lock if the database has none
 */
export async function runMigration(
  client: Client,
  leaseClient: Client | undefined,
  work: () => Promise<void>,
): Promise<void> {
  if (!leaseClient) {
    await client.query('select pg_advisory_lock($1)', [ADVISORY_LOCKS.migration]);
    return work();
  }
  // If two servers create the table at the same moment, one of them fails and tries again.
  await leaseClient.query(CREATE_LOCKS).catch(() => leaseClient.query(CREATE_LOCKS));
  while (!(await withLease(leaseClient, 'migration', work))) await sleep(MIGRATION_RETRY_MS);
}
