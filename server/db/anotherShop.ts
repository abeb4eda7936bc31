import type { PoolClient } from 'pg';
import { newSecret } from './generatedSecrets';

/** The sandbox's keys stay: they open nothing but the sandbox of this database. */
const RENEWED = ['access-token', 'shop-name'];

/**
 * A restored copy may run beside the original, with the same keys of the payment provider. With a name of its own it
 * takes none of the original's payments. It forgets the attempts that the original opened, so that it never cancels or
 * settles them, and leaves the original's refunds to the original. Its secrets are not those in the backup file.
 */
export async function becomeAnotherShop(client: PoolClient): Promise<void> {
  for (const name of RENEWED) await client.query('update secrets set value = $2 where name = $1', [name, newSecret()]);
  await client.query('delete from identity_keys');
  await client.query(`update payment_attempts set state = 'canceled' where state = 'open'`);
  await client.query(`update payments set returned_at = now() where outcome = 'refund due' and returned_at is null`);
}
