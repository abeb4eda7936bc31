import { CONTACT } from '../../src/contract/contact';
import type { MailContent } from './mailContent';

const FOOTER = [
  `Questions? Reply to this email or call ${CONTACT.phone}.`,
  `Forgeline, ${CONTACT.street}, ${CONTACT.town}`,
].join('\n');

/** Indents the later lines of a customer's text, so that none of them can pass for a line written by the shop. */
const indent = (text: string) => text.replaceAll('\n', '\n    ');

export function toText({ title, orderNumber, greeting, paragraphs, rows, button }: MailContent): string {
  const lines = rows.map(({ label, value, url }) => `${label}: ${indent(value)}${url ? `\n    ${url}` : ''}`);
  return [
    [title, orderNumber].filter(Boolean).join('\n'),
    greeting,
    ...paragraphs,
    ...(lines.length > 0 ? [lines.join('\n')] : []),
    `${button.label}:\n${button.url}`,
    FOOTER,
  ].join('\n\n');
}
