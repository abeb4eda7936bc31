import { sql } from 'drizzle-orm';
import type { Db, Tx } from '../db/database';
import { deleteInBatches } from '../db/deleteInBatches';
import { adminActs } from '../db/schema';
import type { CallerAccount } from './access';

const RETENTION_DAYS = 2 * 365;
const DAY_MS = 24 * 3_600_000;

type AdminAct = Pick<typeof adminActs.$inferInsert, 'act' | 'subject' | 'detail'>;

/** Must be called in the transaction that makes the change, so that no change by an admin goes unrecorded. */
export async function recordAdminAct(tx: Tx, actor: CallerAccount, act: AdminAct): Promise<void> {
  await tx.insert(adminActs).values({ ...act, actorId: actor.id });
}

export function deleteOldAdminActs({ db, now }: { db: Db; now: () => Date }): Promise<number> {
  const createdBefore = new Date(now().getTime() - RETENTION_DAYS * DAY_MS);
  return deleteInBatches(db, adminActs, sql`${adminActs.createdAt} < ${createdBefore}`);
}
