import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import type { Db } from '../db/database';
import { CATALOG_TABLES, isCatalogTable, type CatalogTable } from './catalogQueries';

const CHANNEL = 'forgeline_catalogue';
const SEND_INTERVAL_MS = 200;
const RECONNECT_DELAY_MS = 500;
/** Keeps a notification below PostgreSQL's limit of 8,000 bytes, because each change takes at most 45 bytes. */
const MAX_CHANGES_PER_NOTIFICATION = 100;

export interface ChangeBroadcast {
  /** Must be called after each write. The other servers learn of it within about 200 ms. */
  send(table: CatalogTable, id?: string): void;
  close(): Promise<void>;
}

/** If there are too many changes for one notification, it contains only the names of their tables. */
const compactChanges = (changes: string[]) =>
  changes.length > MAX_CHANGES_PER_NOTIFICATION
    ? [...new Set(changes.map((change) => change.split('/', 1)[0]))]
    : changes;

/**
 * Reports changes to the other servers by LISTEN and NOTIFY. The payload is `sender tools/id,tools/id,reviews`, where a
 * table without an id means all of its rows. Transactions that send notifications would have to wait for each other at
 * their commit. Therefore a timer sends the notifications outside of them.
 * @param onChange receives the changes of other servers, and each table whose number of writes has changed, even if
 * this server made the writes
 */
export async function openChangeBroadcast(
  db: Db,
  onChange: (table: CatalogTable, id?: string) => void,
  onError: (error: Error) => void,
): Promise<ChangeBroadcast> {
  const senderId = randomUUID();
  const unsent = new Set<string>();
  let isClosed = false;

  async function sendAll() {
    const changes = [...unsent];
    if (changes.length === 0) return;
    unsent.clear();
    try {
      await db.execute(sql`select pg_notify(${CHANNEL}, ${`${senderId} ${compactChanges(changes).join(',')}`})`);
    } catch (error) {
      changes.forEach((change) => unsent.add(change));
      onError(error as Error);
    }
  }

  function receive(payload = '') {
    const [sender, changes = ''] = payload.split(' ');
    if (sender === senderId) return;
    for (const change of changes.split(',')) {
      const [table, id] = change.split('/');
      if (isCatalogTable(table)) onChange(table, id);
    }
  }

  async function reconnect() {
    while (!isClosed) {
      await sleep(RECONNECT_DELAY_MS);
      try {
        if (isClosed) return;
        stopListening = await listen(db, listener);
        if (isClosed) stopListening();
        return CATALOG_TABLES.forEach((table) => onChange(table));
      } catch (error) {
        onError(error as Error);
      }
    }
  }

  const listener = { onNotification: receive, onWrite: onChange, onLost: () => void reconnect() };
  let stopListening = await listen(db, listener);
  const timer = setInterval(() => void sendAll(), SEND_INTERVAL_MS);
  return {
    send: (table, id) => void unsent.add(id === undefined ? table : `${table}/${id}`),
    async close() {
      isClosed = true;
      clearInterval(timer);
      await sendAll();
      stopListening();
    },
  };
}

const WRITE_COUNT_INTERVAL_MS = 2000;
/**
 * PostgreSQL counts the writes to each table. If a server is killed after a write, before it sends the notification,
 * only the count shows the write.
 */
const WRITE_COUNTS = `select relname as "table", (n_tup_ins + n_tup_upd + n_tup_del)::text as writes
  from pg_stat_user_tables where relname = any($1)`;

interface Listener {
  onNotification: (payload?: string) => void;
  /** Called after a write to a table, even if a notification reported the write too. */
  onWrite: (table: CatalogTable) => void;
  /** Called once, when the connection fails. */
  onLost: () => void;
}

async function listen(db: Db, { onNotification, onWrite, onLost }: Listener): Promise<() => void> {
  const client = await db.$client.connect();
  const lastCounts = new Map<CatalogTable, string>();
  let [hasEnded, timer]: [boolean, NodeJS.Timeout | undefined] = [false, undefined];

  function stop() {
    clearTimeout(timer);
    if (!hasEnded) client.release(true);
    hasEnded = true;
  }
  function fail() {
    if (hasEnded) return;
    stop();
    onLost();
  }
  async function checkWriteCounts() {
    const { rows } = await client.query<{ table: CatalogTable; writes: string }>(WRITE_COUNTS, [CATALOG_TABLES]);
    for (const { table, writes } of rows) {
      if (lastCounts.has(table) && lastCounts.get(table) !== writes) onWrite(table);
      lastCounts.set(table, writes);
    }
    if (!hasEnded) timer = setTimeout(() => void checkWriteCounts().catch(fail), WRITE_COUNT_INTERVAL_MS);
  }

  client.on('notification', ({ payload }) => onNotification(payload));
  client.on('error', fail);
  try {
    await client.query(`listen ${CHANNEL}`);
    await checkWriteCounts();
  } catch (error) {
    stop();
    throw error;
  }
  return stop;
}
