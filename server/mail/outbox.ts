import type { Db, Tx } from '../db/database';
import { mails } from '../db/schema';

export type MailKind = (typeof mails.$inferSelect)['kind'];

/** Queues an email in the transaction of the change that it reports, unless the same email already exists. */
export async function queueMail(tx: Tx | Db, kind: MailKind, orderId: string, about: string = orderId): Promise<void> {
  await tx.insert(mails).values({ kind, about, orderId }).onConflictDoNothing();
}

/**
 * SQL: queues an email for each order of `source`, a table expression with the column `id`. It is part of the
 * statement that makes the reported change.
 */
export const queueMailFor = (kind: MailKind, source: string) =>
  `insert into mails (kind, about, order_id) select '${kind}', id::text, id from ${source}
   on conflict (kind, about) do nothing`;
