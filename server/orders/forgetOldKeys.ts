import { sql } from 'drizzle-orm';
import { IDEMPOTENCY_HOURS } from '../../src/contract/limits';
import { idempotencyKeys } from '../db/schema';
import type { Deps } from '../deps';

const BATCH = 5_000;
const HOUR_MS = 3_600_000;

/** A part of the sweep: keys hold for a day. */
export async function forgetOldKeys({ db, now }: Deps): Promise<number> {
  const before = new Date(now().getTime() - IDEMPOTENCY_HOURS * HOUR_MS);
  const old = sql`select ctid from ${idempotencyKeys} where ${idempotencyKeys.createdAt} < ${before} limit ${BATCH}`;
  for (let forgotten = 0; ;) {
    const { rowCount } = await db.execute(sql`delete from ${idempotencyKeys} where ctid = any(array(${old}))`);
    forgotten += rowCount ?? 0;
    if ((rowCount ?? 0) < BATCH) return forgotten;
  }
}
