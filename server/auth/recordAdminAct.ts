import { sql } from 'drizzle-orm';
import type { Db, Tx } from '../db/database';
import { deleteInBatches } from '../db/deleteInBatches';
import { adminActs } from '../db/schema';
import { addMs, DAY_MS } from '../db/time';
import type { CallerAccount } from './access';

const RETENTION_DAYS = 2 * 365;

type AdminAct = Pick<typeof adminActs.$inferInsert, 'act' | 'subject' | 'detail'>;

/** Must be called in the transaction that makes the changes, so that no change by an admin goes unrecorded. */
export async function recordAdminActs(tx: Tx, actor: CallerAccount, acts: AdminAct[]): Promise<void> {
  await tx.execute(sql`
    insert into admin_acts (actor_id, act, subject, detail)
    select ${actor.id}, act, subject, detail
    from jsonb_to_recordset(${JSON.stringify(acts)}::jsonb) as new(act text, subject text, detail jsonb)`);
}

export const recordAdminAct = (tx: Tx, actor: CallerAccount, act: AdminAct) => recordAdminActs(tx, actor, [act]);

export function deleteOldAdminActs({ db, now }: { db: Db; now: () => Date }): Promise<number> {
  const createdBefore = addMs(now(), -RETENTION_DAYS * DAY_MS);
  return deleteInBatches(db, adminActs, sql`${adminActs.createdAt} < ${createdBefore}`);
}
