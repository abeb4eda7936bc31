import { sql, type SQL } from 'drizzle-orm';
import { SELLER } from '../../src/contract/seller';
import type { Db, Tx } from '../db/database';
import { paperNumbers } from '../db/schema';
import type { PaymentContext } from './context';

/** An invoice, such as F-000001, or a credit note, such as C-000001. */
type Series = (typeof paperNumbers.$inferSelect)['series'];
const PREFIX: Record<Series, string> = { invoice: 'F-', credit: 'C-' };

/** Limits how long new payments wait for the sweep. */
const ROWS_PER_STATEMENT = 500;

/** SQL: a number of at least six digits. */
const numberSql = (series: Series, n: SQL) =>
  sql<string>`${PREFIX[series]}::text || lpad((${n})::text, greatest(6, length((${n})::text)), '0')`;

/**
 * Takes the next number of a series in the statement that stores it: `atCommit(tx.with(taken).update(...))`. All
 * transactions that take a number wait for each other, so only `atCommit` may run this statement. If the transaction
 * fails, the next one takes the same number.
 */
export function takePaperNumber(tx: Tx, series: Series) {
  const { last } = paperNumbers;
  const row = tx
    .insert(paperNumbers)
    .values({ series, last: 1 })
    .onConflictDoUpdate({ target: paperNumbers.series, set: { last: sql`${last} + 1` } })
    .returning({ number: numberSql(series, sql`${last}`).as('number') });
  const taken = tx.$with('taken').as(row);
  return { taken, number: sql<string>`(select number from ${taken})` };
}

/**
 * SQL: paid orders without an invoice, and their refunds without a credit note. The previous version records such. A
 * failed refund needs one only if the operator has paid its money back in another way.
 */
export const UNNUMBERED: Record<Series, SQL> = {
  invoice: sql`select intent_id as id, created_at as at from payments unnumbered
    where outcome = 'paid' and invoice is null order by created_at, intent_id`,
  credit: sql`select unnumbered.id, unnumbered.done_at as at from refunds unnumbered
    join payments p on p.intent_id = unnumbered.payment_id and p.outcome = 'paid'
    where unnumbered.number is null
      and (unnumbered.done_at is not null and unnumbered.state <> 'failed' or unnumbered.done_at = p.returned_at)
    order by unnumbered.done_at, unnumbered.id`,
};
const STORE_NUMBER: Record<Series, (number: SQL) => SQL> = {
  invoice: (number) => sql`update payments stored set invoice = ${number}, seller = ${SELLER}
    from sorted, taken where stored.intent_id = sorted.id`,
  credit: (number) => sql`update refunds stored set number = ${number} from sorted, taken where stored.id = sorted.id`,
};

/** SQL: the numbers that were taken so far. */
export const TAKEN_NUMBERS = sql`
  select case series when 'invoice' then ${numberSql('invoice', sql`n`)} else ${numberSql('credit', sql`n`)} end as number
  from paper_numbers, generate_series(1, last) n`;

/** Locks the rows before it counts them, so that the series grows by exactly the rows that get a number. */
const numberOldest = (db: Db, series: Series) =>
  db.execute(sql`
    with locked as (${UNNUMBERED[series]} limit ${ROWS_PER_STATEMENT} for no key update of unnumbered),
      sorted as (select id, row_number() over (order by at, id) as place from locked),
      taken as (
        insert into paper_numbers (series, last) select ${series}, count(*) from sorted having count(*) > 0
        on conflict (series) do update set last = paper_numbers.last + excluded.last returning last)
    ${STORE_NUMBER[series](numberSql(series, sql`last - (select count(*) from sorted) + place`))}`);

/** Numbers the orders that the previous version recorded as paid or refunded, in this order. */
export async function numberPapers({ db, closing }: Pick<PaymentContext, 'db' | 'closing'>): Promise<void> {
  for (const series of ['invoice', 'credit'] as const)
    while (!closing.aborted && (await numberOldest(db, series)).rowCount === ROWS_PER_STATEMENT);
}
