import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { PoolClient } from 'pg';
import type { Db } from './database';
import * as schema from './schema';

/** Drizzle's own, on a pool, keeps the connection for ever when `begin` already fails: ours always gives it back. */
export function returnConnections(db: Db): Db {
  const known = new WeakMap<PoolClient, NodePgDatabase<typeof schema>>();
  function on(client: PoolClient) {
    const found = known.get(client) ?? drizzle(client, { schema });
    known.set(client, found);
    return found;
  }
  db.transaction = async (work, config) => {
    const client = await db.$client.connect();
    try {
      return await on(client).transaction(work, config);
    } finally {
      client.release();
    }
  };
  return db;
}
