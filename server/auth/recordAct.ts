import type { Tx } from '../db/database';
import { adminActs } from '../db/schema';
import type { CallerAccount } from './access';

type Act = Pick<typeof adminActs.$inferInsert, 'act' | 'subject' | 'detail'>;

/** Must get the transaction that makes the change, so that no change of an admin stays unrecorded. */
export async function recordAct(tx: Tx, actor: CallerAccount, act: Act): Promise<void> {
  await tx.insert(adminActs).values({ ...act, actorId: actor.id });
}
