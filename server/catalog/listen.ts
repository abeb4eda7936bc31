import type { Db } from '../db/database';
import { PARTS, type Part } from './part';

const LOOK_MS = 2000;
/** Who is killed between its write and its word is found out by what PostgreSQL itself has counted. */
const WRITES = `select relname as part, (n_tup_ins + n_tup_upd + n_tup_del)::text as writes
  from pg_stat_user_tables where relname = any($1)`;

export interface Listener {
  channel: string;
  hear: (payload?: string) => void;
  /** A part was written to, whether or not anybody said so. */
  written: (part: Part) => void;
  lost: () => void;
}

/** Listens, and looks now and then whether that still works; says once when it does not. */
export async function listen(db: Db, { channel, hear, written, lost }: Listener): Promise<() => void> {
  const client = await db.$client.connect();
  const counted = new Map<Part, string>();
  let [ended, timer]: [boolean, NodeJS.Timeout | undefined] = [false, undefined];

  function stop() {
    clearTimeout(timer);
    if (!ended) client.release(true);
    ended = true;
  }
  function fail() {
    if (ended) return;
    stop();
    lost();
  }
  async function look() {
    const { rows } = await client.query<{ part: Part; writes: string }>(WRITES, [PARTS]);
    for (const { part, writes } of rows) {
      if (counted.has(part) && counted.get(part) !== writes) written(part);
      counted.set(part, writes);
    }
    if (!ended) timer = setTimeout(() => void look().catch(fail), LOOK_MS);
  }

  client.on('notification', ({ payload }) => hear(payload));
  client.on('error', fail);
  try {
    await client.query(`listen ${channel}`);
    await look();
  } catch (error) {
    stop();
    throw error;
  }
  return stop;
}
