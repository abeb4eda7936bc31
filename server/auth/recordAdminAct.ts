import type { Tx } from '../db/database';
import { adminActs } from '../db/schema';
import type { CallerAccount } from './access';

type AdminAct = Pick<typeof adminActs.$inferInsert, 'act' | 'subject' | 'detail'>;

/** Must be called in the transaction that makes the change, so that no change by an admin goes unrecorded. */
export async function recordAdminAct(tx: Tx, actor: CallerAccount, act: AdminAct): Promise<void> {
  await tx.insert(adminActs).values({ ...act, actorId: actor.id });
}
