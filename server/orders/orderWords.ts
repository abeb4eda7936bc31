import { sql, type SQL } from 'drizzle-orm';
import type { Queries, Tx } from '../db/database';
import { HAS_INDEXED_WORDS, ORDER_WORDS } from '../db/schema';

/** ASCII punctuation separates words, as in ORDER_WORDS. */
const SEPARATORS = /[\s\0-/:-@[-`{-~]+/;
/** Each word costs PostgreSQL up to 100 ms with 1,000,000 orders. The longest words say most. */
const MAX_WORDS = 10;
/** A search reads this many of the newest orders before it uses the index of words: 1,000 rows take about 15 ms. */
const NEWEST_ROWS = 1_000;

/**
 * Each word must begin a word of the order. A single letter must be a whole word, because too many words begin with it.
 * The last word may still be being typed.
 * @returns undefined when the text has no words
 */
export function wordQuery(q: string): string | undefined {
  const words = q.split(SEPARATORS).filter(Boolean);
  const last = words.at(-1);
  const isPrefix = (word: string) => word.length > 1 || word === last;
  const longest = [...new Set(words)].sort((a, b) => b.length - a.length).slice(0, MAX_WORDS);
  return longest.length > 0 ? longest.map((word) => `'${word}'${isPrefix(word) ? ':*' : ''}`).join(' & ') : undefined;
}

async function readPositions(db: Queries | Tx, query: SQL): Promise<number[]> {
  const { rows } = await db.execute<{ position: string }>(query);
  return rows.map(({ position }) => Number(position));
}

/** Computes the words of the newest orders. The index of words has no order, so for frequent words it is slower. */
const findAmongNewest = (db: Queries, matches: SQL, filter: SQL | undefined, limit: number) =>
  readPositions(
    db,
    sql`select position from (
      select position, ${matches} as matches from orders where ${filter} order by position desc limit ${NEWEST_ROWS}
    ) newest where matches order by position desc limit ${limit}`,
  );

/**
 * Finds all orders that match by the index of words, and then filters them. Orders with a hold are not in the index, and
 * there are few of them. `offset 0` and `enable_seqscan` keep PostgreSQL from computing the words of each order instead,
 * which takes 10 s with 1,000,000 orders.
 */
const findAll = (db: Queries, matches: SQL, filter: SQL | undefined, limit: number) =>
  db.transaction(async (tx) => {
    await tx.execute(sql`set local enable_seqscan = off`);
    return readPositions(
      tx,
      sql`select position from (
        (select position, state, shipped_at from orders
          where ${sql.raw(HAS_INDEXED_WORDS)} and ${matches} offset 0)
        union all
        (select position, state, shipped_at from orders
          where state = 'unpaid' and holds_stock and ${matches} offset 0)
      ) orders where ${filter} order by position desc limit ${limit}`,
    );
  });

/**
 * @param filter a condition on the position, state and shipment of an order
 * @returns the positions of the newest orders that have all the words
 */
export async function findByWords(db: Queries, q: string, filter: SQL | undefined, limit: number): Promise<number[]> {
  const query = wordQuery(q);
  if (query === undefined) return [];
  const matches = sql`${sql.raw(ORDER_WORDS)} @@ to_tsquery('simple', ${query})`;
  const newest = await findAmongNewest(db, matches, filter, limit);
  return newest.length === limit ? newest : findAll(db, matches, filter, limit);
}
