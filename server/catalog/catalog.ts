import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { PoolClient } from 'pg';
import type { Db } from '../db/database';
import { createBatches } from './batches';
import { CachedList } from './cachedList';
import { readReviews, readTools } from './catalogQueries';

export type CatalogTable = 'tools' | 'reviews';
export type Catalog = Awaited<ReturnType<typeof openCatalog>>;

const ALL_ROWS = '*';
const READ_PAUSE_MS = 5;
const NOTIFY_PAUSE_MS = 200;
const CHECK_INTERVAL_MS = 2000;
/** PostgreSQL's own counts. Reading all rows each time would take 0.3 s for 60,000 reviews. */
const WRITE_COUNTS = `select relname as "table", (n_tup_ins + n_tup_upd + n_tup_del)::text as writes
  from pg_stat_user_tables where relname in ('tools', 'reviews')`;

/** @param changes tables, of which all rows are read again, or single rows, such as `tools/id` */
export async function notifyServers(db: Db, changes: string[], sender = 'command'): Promise<void> {
  await db.execute(sql`select pg_notify('forgeline_catalogue', ${`${sender} `} || change)
    from unnest(${sql.param(changes)}::text[]) change`);
}

/** The tools and reviews, cached as responses. */
export async function openCatalog(db: Db, onError: (error: unknown) => void) {
  const sender = randomUUID();
  const lists = {
    tools: new CachedList((ids) => readTools(db, ids)),
    reviews: new CachedList((ids) => readReviews(db, ids)),
  };
  /** How many writes each table had when all of its rows were last read. */
  const writeCounts = new Map<CatalogTable, string>();

  const createRefresh = (table: CatalogTable) =>
    createBatches(async (ids) => {
      try {
        await lists[table].refresh(ids.includes(ALL_ROWS) ? undefined : ids);
      } catch (error) {
        writeCounts.delete(table);
        onError(error);
      }
    }, READ_PAUSE_MS);
  const refresh = { tools: createRefresh('tools'), reviews: createRefresh('reviews') };
  /** Runs outside of transactions, because transactions that notify would wait for each other at their commit. */
  const notify = createBatches((changes) => notifyServers(db, changes, sender).catch(onError), NOTIFY_PAUSE_MS);
  let notified: Promise<void> | undefined;

  async function listen(): Promise<PoolClient> {
    const client = await db.$client.connect();
    client.on('notification', ({ payload = '' }) => {
      if (payload.startsWith(sender)) return;
      for (const [, table, id] of payload.matchAll(/\b(tools|reviews)(?:\/([\da-f-]+))?/g))
        void refresh[table as CatalogTable](id ?? ALL_ROWS);
    });
    try {
      await client.query('listen forgeline_catalogue');
      return client;
    } catch (error) {
      client.release(true);
      throw error;
    }
  }
  let client: PoolClient | undefined = await listen();
  await Promise.all([lists.tools.refresh(), lists.reviews.refresh()]);

  /** Reads again the tables that were written to, because the notification can have been lost. */
  async function check() {
    try {
      client ??= await listen();
      const { rows } = await client.query<{ table: CatalogTable; writes: string }>(WRITE_COUNTS);
      for (const { table, writes } of rows) {
        if (writeCounts.get(table) === writes) continue;
        writeCounts.set(table, writes);
        await refresh[table](ALL_ROWS);
      }
    } catch (error) {
      onError(error);
      client?.release(true);
      client = undefined;
      writeCounts.clear();
    }
  }
  let checking: Promise<void> | undefined;
  const timer = setInterval(() => {
    checking ??= check().finally(() => (checking = undefined));
  }, CHECK_INTERVAL_MS);

  return {
    ...lists,
    /**
     * Refreshes the cache, and reports the change to the other servers. Must be called after each committed write to
     * tools (including their stock) or reviews. The response must wait for it, so that the customer's next request
     * shows the write.
     * @param givenId the row that changed, in either case, or undefined if any row may have changed
     */
    reportChange(table: CatalogTable, givenId?: string): Promise<void> {
      const id = givenId?.toLowerCase();
      notified = notify(id === undefined ? table : `${table}/${id}`);
      return refresh[table](id ?? ALL_ROWS);
    },
    async close() {
      clearInterval(timer);
      await checking;
      await notified;
      client?.release(true);
      client = undefined;
    },
  };
}
