import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import type { Db } from '../db/database';
import { listen } from './listen';
import { isPart, PARTS, type Part } from './part';

const CHANNEL = 'forgeline_catalogue';
const TELL_OTHERS_MS = 200;
const LISTEN_AGAIN_MS = 500;
/** A notification has at most 8,000 bytes. */
const MOST_IDS = 100;

type Hear = (part: Part, id?: string) => void;

export interface News {
  /** After a write: the other copies hear of it within a moment. */
  tell(part: Part, id?: string): void;
  close(): Promise<void>;
}

const short = (words: string[]) =>
  words.length > MOST_IDS ? [...new Set(words.map((word) => word.split('/', 1)[0]))] : words;

/** Told by a ticker, never inside a transaction: `me tools/id,tools/id,reviews`; a part without an id is all of it. */
export async function openNews(db: Db, hear: Hear, onTrouble: (error: Error) => void): Promise<News> {
  const me = randomUUID();
  const untold = new Set<string>();
  let closed = false;

  async function tellOthers() {
    const words = [...untold];
    if (words.length === 0) return;
    untold.clear();
    try {
      await db.execute(sql`select pg_notify(${CHANNEL}, ${`${me} ${short(words).join(',')}`})`);
    } catch (error) {
      words.forEach((word) => untold.add(word));
      onTrouble(error as Error);
    }
  }

  function heard(payload = '') {
    const [from, words = ''] = payload.split(' ');
    if (from === me) return;
    for (const word of words.split(',')) {
      const [part, id] = word.split('/');
      if (isPart(part)) hear(part, id);
    }
  }

  const listener = { channel: CHANNEL, hear: heard, written: (part: Part) => hear(part), lost: () => void again() };
  async function again() {
    while (!closed) {
      await sleep(LISTEN_AGAIN_MS);
      try {
        if (closed) return;
        stopListening = await listen(db, listener);
        if (closed) stopListening();
        return PARTS.forEach((part) => hear(part));
      } catch (error) {
        onTrouble(error as Error);
      }
    }
  }

  let stopListening = await listen(db, listener);
  const teller = setInterval(() => void tellOthers(), TELL_OTHERS_MS);
  return {
    tell: (part, id) => void untold.add(id === undefined ? part : `${part}/${id}`),
    async close() {
      closed = true;
      clearInterval(teller);
      await tellOthers();
      stopListening();
    },
  };
}
