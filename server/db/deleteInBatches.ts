import { sql, type SQL } from 'drizzle-orm';
import type { PgTable, PgUpdateSetSource } from 'drizzle-orm/pg-core';
import type { Db } from './database';

/** Limits how long one statement takes. */
const ROWS_PER_STATEMENT = 5_000;

type Change = (where: SQL) => PromiseLike<{ rowCount: number | null }>;

async function changeInBatches(table: PgTable, condition: SQL, change: Change): Promise<number> {
  // Skips rows that a transaction is changing. It may have made the condition false.
  const batch = sql`select ctid from ${table} where ${condition} limit ${ROWS_PER_STATEMENT} for update skip locked`;
  for (let changed = 0; ;) {
    const { rowCount } = await change(sql`ctid = any(array(${batch}))`);
    changed += rowCount ?? 0;
    if ((rowCount ?? 0) < ROWS_PER_STATEMENT) return changed;
  }
}

/** @returns how many rows were deleted */
export const deleteInBatches = (db: Db, table: PgTable, condition: SQL): Promise<number> =>
  changeInBatches(table, condition, (where) => db.delete(table).where(where));

/**
 * @param change must make the condition false
 * @returns how many rows were updated
 */
export const updateInBatches = <T extends PgTable>(
  db: Db,
  table: T,
  change: PgUpdateSetSource<T>,
  condition: SQL,
): Promise<number> => changeInBatches(table, condition, (where) => db.update(table).set(change).where(where));
