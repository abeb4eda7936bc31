import { sql } from 'drizzle-orm';
import type { Db, Tx } from '../db/database';
import { mails } from '../db/schema';
import type { Settings } from '../settings';

export type MailKind = (typeof mails.$inferSelect)['kind'];

/** Queues an email in the transaction of the change that it reports. The same email is queued only once. */
export async function queueMail(tx: Tx | Db, kind: MailKind, orderId: string, about: string = orderId): Promise<void> {
  await tx.insert(mails).values({ kind, about, orderId }).onConflictDoNothing();
}

/**
 * While sending is off, an email is stored as `not sent`, because `sendQueuedMail` would only have to update it again.
 */
export const stateOfNewMail = ({ mail }: Pick<Settings, 'mail'>) => (mail ? 'queued' : 'not sent');

/**
 * SQL that queues an email for each row of `source`, a table expression with an order's `id`. It is a part of the
 * statement that makes the reported change.
 */
export const queueMailFor = (kind: MailKind, source: string, settings: Pick<Settings, 'mail'>) =>
  sql`insert into mails (kind, about, order_id, state)
    select ${kind}, id::text, id, ${stateOfNewMail(settings)} from ${sql.raw(source)}
    on conflict (kind, about) do nothing`;
