import { toHtml } from './mailHtml';
import { toText } from './mailText';
import type { MailContent } from './mailContent';
import type { LinkMailKind } from './outbox';
import type { RenderedMail } from './templates';

const TEMPLATES: Record<LinkMailKind, Pick<MailContent, 'subject' | 'title' | 'paragraphs'> & { buttonLabel: string }> =
  {
    'verify email': {
      subject: 'Verify your email for Forgeline',
      title: 'Verify your email',
      paragraphs: [
        'Someone signed up at Forgeline with this email. If it was you, open the link below to show that this email is ' +
          'yours. The link works for one hour.',
        "If it wasn't you, ignore this email.",
      ],
      buttonLabel: 'Verify email',
    },
    'reset password': {
      subject: 'Set a new password for Forgeline',
      title: 'Set a new password',
      paragraphs: [
        'Someone asked for a new password for your Forgeline account. If it was you, open the link below and choose ' +
          'one. The link works once, for one hour.',
        "If it wasn't you, ignore this email. Your password stays the same.",
      ],
      buttonLabel: 'Set a new password',
    },
  };

/** Contains nothing that the customer typed, because the address may be a stranger's. */
export function renderLinkMail(kind: LinkMailKind, link: string): RenderedMail {
  const { buttonLabel, ...parts } = TEMPLATES[kind];
  const content = { ...parts, greeting: 'Hello,', rows: [], button: { label: buttonLabel, url: link } };
  return { subject: content.subject, text: toText(content), html: toHtml(content) };
}
