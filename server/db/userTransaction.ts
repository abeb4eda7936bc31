import { drizzle } from 'drizzle-orm/node-postgres';
import type { Db, Tx } from './database';

/**
 * Runs work in a transaction that has locked the user's row, so that it sees what the user's other transactions of this
 * kind have changed. `begin` and the lock are one message, because each round trip makes an order slower.
 */
export async function userTransaction<T>({ $client }: Db, userId: string, work: (tx: Tx) => Promise<T>): Promise<T> {
  const client = await $client.connect();
  try {
    await client.query(`begin; select from users where id = ${client.escapeLiteral(userId)} for no key update`);
    const result = await work(drizzle(client) as unknown as Tx);
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
}
