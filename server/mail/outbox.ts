import type { Db, Tx } from '../db/database';
import { mails } from '../db/schema';

export type MailKind = (typeof mails.$inferSelect)['kind'];

/** Queues a mail in the transaction of what it reports. A second mail of this kind about the same is not queued. */
export async function queueMail(tx: Tx | Db, kind: MailKind, orderId: string, about: string = orderId): Promise<void> {
  await tx.insert(mails).values({ kind, about, orderId }).onConflictDoNothing();
}

/**
 * SQL: queues a mail for each order of `source`, a table expression with the column `id`. It is a part of the statement
 * that makes true what the mail says.
 */
export const queueMailFor = (kind: MailKind, source: string) =>
  `insert into mails (kind, about, order_id) select '${kind}', id::text, id from ${source}
   on conflict (kind, about) do nothing`;
