import { sql } from 'drizzle-orm';
import type { Db, Tx } from '../db/database';
import { mails } from '../db/schema';
import type { Settings } from '../settings';

export type MailKind = (typeof mails.$inferSelect)['kind'];

/** Queues an email in the transaction of the change that it is about. The same email is queued only once. */
export async function queueMail(tx: Tx | Db, kind: MailKind, orderId: string, about: string = orderId): Promise<void> {
  await tx.insert(mails).values({ kind, about, orderId }).onConflictDoNothing();
}

/**
 * The state in which a statement stores an email together with an order. If sending is off, no later update is needed.
 */
export const stateOfNewMail = ({ mail }: Pick<Settings, 'mail'>) => (mail ? 'queued' : 'not sent');

/**
 * SQL that queues an email for each order `id` in `source`, a table expression. The statement that changes the order
 * contains this SQL, so that the change and the email are stored together.
 */
export const queueMailFor = (kind: MailKind, source: string, settings: Pick<Settings, 'mail'>) =>
  sql`insert into mails (kind, about, order_id, state)
    select ${kind}, id::text, id, ${stateOfNewMail(settings)} from ${sql.raw(source)}
    on conflict (kind, about) do nothing`;
