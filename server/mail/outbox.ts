import { sql } from 'drizzle-orm';
import type { Db, Tx } from '../db/database';
import { mails } from '../db/schema';
import type { Settings } from '../settings';

export type MailKind = (typeof mails.$inferSelect)['kind'];

/** Queues an email in the transaction of the change that it is about. The same email is queued only once. */
export async function queueMail(tx: Tx | Db, kind: MailKind, orderId: string, about: string = orderId): Promise<void> {
  await tx.insert(mails).values({ kind, about, orderId }).onConflictDoNothing();
}

/** While sending is off, emails are stored as `not sent`. Otherwise `sendQueuedMail` would have to update them. */
export const stateOfNewMail = ({ mail }: Pick<Settings, 'mail'>) => (mail ? 'queued' : 'not sent');

/**
 * SQL that queues an email for each order `id` in `source`, a table expression. It is a part of the statement that
 * makes the change that the email is about.
 */
export const queueMailFor = (kind: MailKind, source: string, settings: Pick<Settings, 'mail'>) =>
  sql`insert into mails (kind, about, order_id, state)
    select ${kind}, id::text, id, ${stateOfNewMail(settings)} from ${sql.raw(source)}
    on conflict (kind, about) do nothing`;
