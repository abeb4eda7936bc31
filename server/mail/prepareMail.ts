import type { Mailbox } from '../settings/mail';
import type { MailContext } from './context';
import { renderLinkMail } from './linkMails';
import { readMailFacts } from './mailFacts';
import type { MailRow } from './mailQueue';
import type { LinkMailKind, OrderMailKind } from './outbox';
import { reasonNotToSend, recipientOf, renderMail, type RenderedMail } from './templates';

interface PreparedMail extends RenderedMail {
  to: Mailbox;
  /** Whether it tells of a new order and its address is not verified, so that it could be a stranger's. */
  isLimited: boolean;
  /** Set if the email is no longer wanted. */
  reasonNotToSend: string | undefined;
}

const LINK_DELETED = '(This link is no longer stored, because it was sent or has expired.)';

/** Turns a row of the outbox into an email. */
export async function prepareMail(
  { db, publicUrl, settings, now }: Pick<MailContext, 'db' | 'publicUrl' | 'settings' | 'now'>,
  mail: MailRow,
): Promise<PreparedMail> {
  const { orderId, recipient, link, linkExpiresAt } = mail;
  if (orderId === null) {
    const isExpired = link === null || linkExpiresAt! <= now();
    return {
      ...renderLinkMail(mail.kind as LinkMailKind, link ?? LINK_DELETED),
      to: { name: '', address: recipient! },
      isLimited: false,
      reasonNotToSend: isExpired ? 'The link expired before the email was sent.' : undefined,
    };
  }
  const kind = mail.kind as OrderMailKind;
  const facts = await readMailFacts(db, { ...mail, orderId });
  return {
    ...renderMail(kind, { ...facts, ...settings }, publicUrl),
    to: recipientOf(kind, facts),
    isLimited: kind === 'order received' && !facts.isVerified,
    reasonNotToSend: reasonNotToSend(kind, facts),
  };
}
