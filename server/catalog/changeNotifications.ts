import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import type { Db } from '../db/database';
import { CATALOG_TABLES, isCatalogTable, type CatalogTable } from './catalogQueries';

const CHANNEL = 'forgeline_catalogue';
const SEND_MS = 200;
const RECONNECT_MS = 500;
/** A notification has at most 8,000 bytes. */
const MOST_IDS = 100;

export interface ChangeBroadcast {
  /** Call it after a write. The other copies receive it within a moment. */
  send(table: CatalogTable, id?: string): void;
  close(): Promise<void>;
}

/** More changes than fit into one notification become changes of whole tables. */
const shortened = (changes: string[]) =>
  changes.length > MOST_IDS ? [...new Set(changes.map((change) => change.split('/', 1)[0]))] : changes;

/**
 * Sends by a timer, never inside a transaction: `sender tools/id,tools/id,reviews`. A table without an id means all of it.
 * @param onChange called for the changes that other copies made
 */
export async function openChangeBroadcast(
  db: Db,
  onChange: (table: CatalogTable, id?: string) => void,
  onError: (error: Error) => void,
): Promise<ChangeBroadcast> {
  const own = randomUUID();
  const unsent = new Set<string>();
  let closed = false;

  async function sendAll() {
    const changes = [...unsent];
    if (changes.length === 0) return;
    unsent.clear();
    try {
      await db.execute(sql`select pg_notify(${CHANNEL}, ${`${own} ${shortened(changes).join(',')}`})`);
    } catch (error) {
      changes.forEach((change) => unsent.add(change));
      onError(error as Error);
    }
  }

  function receive(payload = '') {
    const [sender, changes = ''] = payload.split(' ');
    if (sender === own) return;
    for (const change of changes.split(',')) {
      const [table, id] = change.split('/');
      if (isCatalogTable(table)) onChange(table, id);
    }
  }

  async function reconnect() {
    while (!closed) {
      await sleep(RECONNECT_MS);
      try {
        if (closed) return;
        stopListening = await listen(db, listener);
        if (closed) stopListening();
        return CATALOG_TABLES.forEach((table) => onChange(table));
      } catch (error) {
        onError(error as Error);
      }
    }
  }

  const listener = { onNotification: receive, onWrite: onChange, onLost: () => void reconnect() };
  let stopListening = await listen(db, listener);
  const timer = setInterval(() => void sendAll(), SEND_MS);
  return {
    send: (table, id) => void unsent.add(id === undefined ? table : `${table}/${id}`),
    async close() {
      closed = true;
      clearInterval(timer);
      await sendAll();
      stopListening();
    },
  };
}

const CHECK_MS = 2000;
/** A copy that is killed between its write and its notification is noticed by the counters of PostgreSQL itself. */
const WRITES = `select relname as "table", (n_tup_ins + n_tup_upd + n_tup_del)::text as writes
  from pg_stat_user_tables where relname = any($1)`;

interface Listener {
  onNotification: (payload?: string) => void;
  /** A table was written to, whether or not a copy sent a notification. */
  onWrite: (table: CatalogTable) => void;
  /** Called once, when the connection does not work any more. */
  onLost: () => void;
}

async function listen(db: Db, { onNotification, onWrite, onLost }: Listener): Promise<() => void> {
  const client = await db.$client.connect();
  const counted = new Map<CatalogTable, string>();
  let [ended, timer]: [boolean, NodeJS.Timeout | undefined] = [false, undefined];

  function stop() {
    clearTimeout(timer);
    if (!ended) client.release(true);
    ended = true;
  }
  function fail() {
    if (ended) return;
    stop();
    onLost();
  }
  async function check() {
    const { rows } = await client.query<{ table: CatalogTable; writes: string }>(WRITES, [CATALOG_TABLES]);
    for (const { table, writes } of rows) {
      if (counted.has(table) && counted.get(table) !== writes) onWrite(table);
      counted.set(table, writes);
    }
    if (!ended) timer = setTimeout(() => void check().catch(fail), CHECK_MS);
  }

  client.on('notification', ({ payload }) => onNotification(payload));
  client.on('error', fail);
  try {
    await client.query(`listen ${CHANNEL}`);
    await check();
  } catch (error) {
    stop();
    throw error;
  }
  return stop;
}
