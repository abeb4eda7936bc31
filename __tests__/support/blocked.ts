import { sql } from 'drizzle-orm';
import type { Db } from '../../server/db/database';
import { expectEventually } from './wait';

/** So many connections of this database wait for what another one holds. */
export const untilBlocked = ({ db }: { db: Db }, many = 1) =>
  expectEventually(async () => {
    const { rowCount } = await db.execute(sql`
      select distinct pid from pg_locks join pg_stat_activity using (pid)
      where not granted and datname = current_database()`);
    return rowCount;
  }, many);
