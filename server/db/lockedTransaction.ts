import { drizzle } from 'drizzle-orm/node-postgres';
import type { Db, Tx } from './database';
import { withTransactionRetry } from './retryConflicts';

interface FirstLocks {
  customerId?: string | undefined;
  orderId?: string | undefined;
}

/**
 * Runs work in a transaction that has locked a customer or an order, so that it sees what other transactions of this
 * kind have changed. `begin` and the locks are one message, because each round trip makes an order slower.
 *
 * To prevent deadlocks, all transactions lock rows in this order: the customer, the order, its payment, its refund, the
 * tool.
 */
export function lockedTransaction<T>(
  { $client }: Db,
  { customerId, orderId }: FirstLocks,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  return withTransactionRetry(async () => {
    const client = await $client.connect();
    const lockCustomer =
      customerId && `select from users where id = ${client.escapeLiteral(customerId)} for no key update`;
    const lockOrder = orderId && `select from orders where id = ${client.escapeLiteral(orderId)} for no key update`;
    try {
      await client.query(['begin', lockCustomer, lockOrder].filter(Boolean).join('; '));
      const result = await work(drizzle(client) as unknown as Tx);
      await client.query('commit');
      return result;
    } catch (error) {
      await client.query('rollback').catch(() => undefined);
      throw error;
    } finally {
      client.release();
    }
  });
}
