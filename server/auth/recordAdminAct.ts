import { sql } from 'drizzle-orm';
import type { Tx } from '../db/database';
import type { adminActs } from '../db/schema';
import type { CallerAccount } from './access';

type AdminAct = Pick<typeof adminActs.$inferInsert, 'act' | 'subject' | 'detail'>;

/** Must be called in the transaction that makes the changes, so that no change by an admin goes unrecorded. */
export async function recordAdminActs(tx: Tx, actor: CallerAccount, acts: AdminAct[]): Promise<void> {
  await tx.execute(sql`
    insert into admin_acts (actor_id, act, subject, detail)
    select ${actor.id}, act, subject, detail
    from jsonb_to_recordset(${JSON.stringify(acts)}::jsonb) as new(act text, subject text, detail jsonb)`);
}

export const recordAdminAct = (tx: Tx, actor: CallerAccount, act: AdminAct) => recordAdminActs(tx, actor, [act]);
