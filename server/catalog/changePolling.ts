import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../db/database';
import type { ChangeBroadcast } from './changeNotifications';
import { CATALOG_TABLES, type CatalogTable } from './catalogQueries';

const POLL_INTERVAL_MS = 1000;

/** With a probability of 1 in 2^48, a change leaves the digest as it was and is missed. */
const digestOf = (table: CatalogTable) => `
  select coalesce(sum(('x' || left(md5(t::text), 12))::bit(48)::bigint), 0)::text || ' ' || count(*) as digest
  from ${table} t`;

/**
 * For databases without LISTEN. Looks for changes every second by reading whole tables, which takes PostgreSQL about 20
 * ms for 5,000 tools.
 * @param onChange receives each changed table, even if this server made the change
 */
export function startChangePolling(
  { $client }: Db,
  onChange: (table: CatalogTable, id?: string) => void,
  onError: (error: Error) => void,
): ChangeBroadcast {
  const lastDigests = new Map<CatalogTable, string>();
  const closing = new AbortController();

  async function checkTable(table: CatalogTable): Promise<void> {
    const { rows } = await $client.query<{ digest: string }>(digestOf(table));
    const { digest } = rows[0]!;
    if (lastDigests.get(table) !== digest) onChange(table);
    lastDigests.set(table, digest);
  }

  async function poll(): Promise<void> {
    while (!closing.signal.aborted) {
      for (const table of CATALOG_TABLES) await checkTable(table).catch(onError);
      await sleep(POLL_INTERVAL_MS, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  }

  const ended = poll();
  return {
    send: () => undefined,
    async close() {
      closing.abort();
      await ended;
    },
  };
}
