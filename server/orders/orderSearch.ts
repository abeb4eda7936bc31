import { sql, type SQL } from 'drizzle-orm';
import { normalizeEmail } from '../auth/emailAddress';
import type { Db, Tx } from '../db/database';
import { ACCENTS, HAS_INDEXED_WORDS, ORDER_WORDS, WORD_SEPARATORS } from '../db/schema';

/**
 * Each word costs PostgreSQL up to 100 ms with 1,000,000 orders. If a search has more words, only the longest are used,
 * because they exclude the most orders.
 */
const MAX_WORDS = 10;
/**
 * A search first reads this many of the newest orders, which takes about 15 ms. It uses the index of words only if
 * these do not fill the page.
 */
const NEWEST_ROWS = 1_000;

const accents = new RegExp(`[${ACCENTS}]`, 'g');
const separators = new RegExp(`[\\0${WORD_SEPARATORS}]`);

/** Must separate words exactly as ORDER_WORDS does in SQL. */
const wordsOf = (text: string) => text.normalize('NFKD').replaceAll(accents, '').split(separators).filter(Boolean);

/**
 * Turns the words that an admin types into a `tsquery`. Each typed word must be the beginning of a word of the order. A
 * single letter must be a whole word, because too many words begin with it, unless it is the last word typed: the admin
 * may still be typing it.
 */
export function buildWordQuery(q: string): string | undefined {
  const words = wordsOf(q);
  const last = words.at(-1);
  const isPrefix = (word: string) => word.length > 1 || word === last;
  const longest = [...new Set(words)].sort((a, b) => b.length - a.length).slice(0, MAX_WORDS);
  return longest.length > 0 ? longest.map((word) => `'${word}'${isPrefix(word) ? ':*' : ''}`).join(' & ') : undefined;
}

async function readPositions(db: Db | Tx, query: SQL): Promise<number[]> {
  const { rows } = await db.execute<{ position: string }>(query);
  return rows.map(({ position }) => Number(position));
}

/**
 * Searches the newest orders without the index of words. For frequent words that is faster, because the index is not
 * sorted by time.
 */
const findAmongNewest = (db: Db, matches: SQL, filter: SQL | undefined, limit: number) =>
  readPositions(
    db,
    sql`select position from (
      select position, ${matches} as matches from orders where ${filter} order by position desc limit ${NEWEST_ROWS}
    ) newest where matches order by position desc limit ${limit}`,
  );

/**
 * Searches all orders by the index of words, and filters the results. Orders with a hold are not in the index. They are
 * few, so computing their words is fast. Without `offset 0` and `enable_seqscan = off`, PostgreSQL might compute the
 * words of every order instead of using the index, which takes 10 s with 1,000,000 orders.
 */
const findByWordIndex = (db: Db, matches: SQL, filter: SQL | undefined, limit: number) =>
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

const hasWords = (query: string) => sql`${sql.raw(ORDER_WORDS)} @@ to_tsquery('simple', ${query})`;

/** Whole words are found faster than the beginnings of words. */
function findByEmail(db: Db, email: string, filter: SQL | undefined, limit: number): Promise<number[]> {
  const query = wordsOf(email).map((word) => `'${word}'`);
  return findByWordIndex(db, sql`(${hasWords(query.join(' & '))} and email = ${email})`, filter, limit);
}

/**
 * @param filter may use only the position, state and shipment of an order
 * @returns the positions of the newest orders that show this email, or else of those that have all the words
 */
export async function searchOrders(db: Db, q: string, filter: SQL | undefined, limit: number): Promise<number[]> {
  const email = normalizeEmail(q);
  const showingEmail = email === undefined ? [] : await findByEmail(db, email, filter, limit);
  if (showingEmail.length > 0) return showingEmail;
  const query = buildWordQuery(q);
  if (query === undefined) return [];
  const matches = hasWords(query);
  const newest = await findAmongNewest(db, matches, filter, limit);
  return newest.length === limit ? newest : findByWordIndex(db, matches, filter, limit);
}
