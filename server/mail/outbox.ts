import { sql } from 'drizzle-orm';
import type { Db, Tx } from '../db/database';
import { mails } from '../db/schema';
import type { Settings } from '../settings';

export type MailKind = (typeof mails.$inferSelect)['kind'];

/** Queues an email in the same transaction as the change that it reports, unless the same email already exists. */
export async function queueMail(tx: Tx | Db, kind: MailKind, orderId: string, about: string = orderId): Promise<void> {
  await tx.insert(mails).values({ kind, about, orderId }).onConflictDoNothing();
}

/** While sending is off, an email is marked as not sent immediately: `sendQueuedMail` would have to update its row again. */
export const stateOfNewMail = ({ mail }: Pick<Settings, 'mail'>) => (mail ? 'queued' : 'not sent');

/**
 * SQL: queues an email for each order of `source`, a table expression with the column `id`. It is part of the
 * statement that makes the reported change.
 */
export const queueMailFor = (kind: MailKind, source: string, settings: Pick<Settings, 'mail'>) =>
  sql`insert into mails (kind, about, order_id, state)
    select ${kind}, id::text, id, ${stateOfNewMail(settings)} from ${sql.raw(source)}
    on conflict (kind, about) do nothing`;
