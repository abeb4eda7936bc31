import { sql } from 'drizzle-orm';
import type { Db, Tx } from './database';
import { withTransactionRetry } from './retryConflicts';

/** Arbitrary numbers, so that other programs on this database are unlikely to use the same ones. */
export const ADVISORY_LOCKS = {
  migration: 7_302_604_417,
  sweep: 7_302_604_420,
  address: 7_302_604_421,
  declines: 7_302_604_422,
} as const;

/** Waits for other transactions with this lock, and holds it until the transaction ends. */
export const lockInTransaction = (tx: Pick<Tx, 'execute'>, name: 'demo' | 'identity keys') =>
  tx.execute(sql`insert into locks (name) values (${name}) on conflict (name) do update set name = excluded.name`);

/**
 * Runs work on an email address in a transaction, one at a time, because the address can pass to another user. Work
 * that only locked the earlier user's row would find that nobody has the address.
 */
export const addressTransaction = <T>(db: Db, email: string, work: (tx: Tx) => Promise<T>): Promise<T> =>
  withTransactionRetry(() =>
    db.transaction(async (tx) => {
      await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${email}, ${ADVISORY_LOCKS.address}))`);
      return work(tx);
    }),
  );

/** Runs the work unless another server is sweeping. If the work fails, closing the connection releases the lock. */
export async function runUnlessSweeping({ $client }: Db, work: () => Promise<void>): Promise<void> {
  const client = await $client.connect();
  const key = [ADVISORY_LOCKS.sweep];
  let hasFailed = true;
  try {
    const { rows } = await client.query<{ isLocked: boolean }>('select pg_try_advisory_lock($1) as "isLocked"', key);
    if (rows[0]!.isLocked) {
      await work();
      await client.query('select pg_advisory_unlock($1)', key);
    }
    hasFailed = false;
  } finally {
    client.release(hasFailed);
  }
}
