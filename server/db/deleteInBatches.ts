import { sql, type SQL } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import type { Db } from './database';

/** Limits how long one statement takes. */
const ROWS_PER_STATEMENT = 5_000;

async function changeInBatches(db: Db, change: SQL, table: PgTable, condition: SQL): Promise<number> {
  const batch = sql`select ctid from ${table} where ${condition} limit ${ROWS_PER_STATEMENT}`;
  for (let changed = 0; ;) {
    const { rowCount } = await db.execute(sql`${change} where ctid = any(array(${batch}))`);
    changed += rowCount ?? 0;
    if ((rowCount ?? 0) < ROWS_PER_STATEMENT) return changed;
  }
}

/** @returns how many rows were deleted */
export const deleteInBatches = (db: Db, table: PgTable, condition: SQL): Promise<number> =>
  changeInBatches(db, sql`delete from ${table}`, table, condition);

/**
 * @param change must make the condition false
 * @returns how many rows were updated
 */
export const updateInBatches = (db: Db, table: PgTable, change: SQL, condition: SQL): Promise<number> =>
  changeInBatches(db, sql`update ${table} set ${change}`, table, condition);
