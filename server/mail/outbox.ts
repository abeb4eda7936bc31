import { randomUUID } from 'node:crypto';
import type { Db, Tx } from '../db/database';
import { mails } from '../db/schema';
import type { Settings } from '../settings/settings';

/** Emails of the embedded identity service. They have a link and are not about an order. */
export type LinkMailKind = 'verify email' | 'reset password';
export type OrderMailKind = Exclude<(typeof mails.$inferSelect)['kind'], LinkMailKind>;

/** Queues an email in the transaction of the change that it is about. The same email is queued only once. */
export async function queueMail(
  tx: Tx | Db,
  kind: OrderMailKind,
  orderId: string,
  about: string = orderId,
): Promise<void> {
  await tx.insert(mails).values({ kind, about, orderId }).onConflictDoNothing();
}

interface QueuedLink {
  recipient: string;
  link: string;
  linkExpiresAt: Date;
}

/** Queues an email in the transaction that stores the code of its link. */
export async function queueLinkMail(tx: Pick<Db, 'insert'>, kind: LinkMailKind, fields: QueuedLink): Promise<void> {
  await tx.insert(mails).values({ kind, about: randomUUID(), ...fields });
}

/** The state in which a new email is stored. If sending is off, no later update is needed. */
export const stateOfNewMail = ({ mail }: Pick<Settings, 'mail'>) => (mail ? 'queued' : 'not sent');
