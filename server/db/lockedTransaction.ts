import type { SQLWrapper } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { PgDialect } from 'drizzle-orm/pg-core';
import type { Db, Tx } from './database';
import { withTransactionRetry } from './retryConflicts';

interface FirstLocks {
  customerId?: string | undefined;
  orderId?: string | undefined;
}

/** Sends a statement in one message with `commit`, so that no slow server holds the locks of this statement. */
export type AtCommit = (statement: SQLWrapper) => void;
const dialect = new PgDialect();
const textOf = (statement: SQLWrapper) => dialect.sqlToQuery(statement.getSQL().inlineParams()).sql;

/**
 * Runs work in a transaction that has locked a customer or an order, so that it sees what other transactions of this
 * kind have changed. `begin` and the locks are one message, because each round trip makes an order slower.
 *
 * To prevent deadlocks, all transactions lock rows in this order: the customer, the order, its payment, its refund, the
 * tool, the last number of a series.
 */
export function lockedTransaction<T>(
  { $client }: Db,
  { customerId, orderId }: FirstLocks,
  work: (tx: Tx, atCommit: AtCommit) => Promise<T>,
): Promise<T> {
  return withTransactionRetry(async () => {
    const client = await $client.connect();
    const lockCustomer =
      customerId && `select from users where id = ${client.escapeLiteral(customerId)} for no key update`;
    const lockOrder = orderId && `select from orders where id = ${client.escapeLiteral(orderId)} for no key update`;
    try {
      await client.query(['begin', lockCustomer, lockOrder].filter(Boolean).join('; '));
      const last: SQLWrapper[] = [];
      const result = await work(drizzle(client) as unknown as Tx, (statement) => last.push(statement));
      await client.query([...last.map(textOf), 'commit'].join('; '));
      return result;
    } catch (error) {
      await client.query('rollback').catch(() => undefined);
      throw error;
    } finally {
      client.release();
    }
  });
}
