import { sql, type SQL } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import type { Db } from './database';

/** Limits how long one statement takes. */
const ROWS_PER_STATEMENT = 5_000;

/** @returns how many rows were deleted */
export async function deleteInBatches(db: Db, table: PgTable, condition: SQL): Promise<number> {
  const batch = sql`select ctid from ${table} where ${condition} limit ${ROWS_PER_STATEMENT}`;
  for (let deleted = 0; ;) {
    const { rowCount } = await db.execute(sql`delete from ${table} where ctid = any(array(${batch}))`);
    deleted += rowCount ?? 0;
    if ((rowCount ?? 0) < ROWS_PER_STATEMENT) return deleted;
  }
}
