import { desc, eq } from 'drizzle-orm';
import { mails } from '../db/schema';
import { prepareMail } from '../mail/prepareMail';
import type { Env } from '../settings/readers';
import type { ShopConnection } from './connectToShopDatabase';
import { failed, runCommand, succeeded, type CommandResult } from './runCommand';

const USAGE = `Usage: npm run mail -- list      lists the newest emails to customers
       npm run mail -- show ID   prints one of them`;
const MAX_LISTED_MAILS = 50;

type MailRow = typeof mails.$inferSelect;

/** A mail server's reply can contain any text. In a terminal, its control characters would take effect. */
const toOneLine = (text: string) => text.replace(/\p{Cc}+/gu, ' ');

const describeState = ({ state, error, tries }: MailRow) =>
  state === 'queued' && tries > 0
    ? `queued, tries: ${tries}, ${error ? `last error: ${error}` : 'being sent'}`
    : error
      ? `${state}: ${error}`
      : state;

const describeSubject = ({ orderId, recipient }: MailRow) => (orderId ? `order ${orderId}` : `to ${recipient}`);

async function list({ db, settings }: ShopConnection): Promise<CommandResult> {
  const rows = await db.select().from(mails).orderBy(desc(mails.id)).limit(MAX_LISTED_MAILS);
  const offNote = settings.mail ? '' : 'Sending is off: set SMTP_URL and MAIL_FROM to send mail.\n';
  if (rows.length === 0) return succeeded(`${offNote}There are no emails.`);
  const lines = rows.map(
    (mail) =>
      `${mail.id}  ${mail.createdAt.toISOString()}  ${mail.kind}, ${describeSubject(mail)}  ${describeState(mail)}`,
  );
  return succeeded(offNote + lines.map(toOneLine).join('\n'));
}

async function show({ db, settings }: ShopConnection, id: string): Promise<CommandResult> {
  const [mail] = /^\d{1,15}$/.test(id)
    ? await db
        .select()
        .from(mails)
        .where(eq(mails.id, Number(id)))
    : [];
  if (!mail) return failed(`There is no email ${id}. List them with: npm run mail -- list`);
  const { publicUrl } = settings;
  const { subject, text, to } = await prepareMail({ db, publicUrl, settings, now: () => new Date() }, mail);
  const { name, address } = to;
  const headers = [
    `To: ${name ? `${name} <${address}>` : address}`,
    `Subject: ${subject}`,
    `State: ${describeState(mail)}`,
  ];
  return succeeded(`${headers.map(toOneLine).join('\n')}\n\n${text}`);
}

export const main = (argv: string[], env: Env): Promise<number> =>
  runCommand({ list, show }, USAGE, argv.length > 0 ? argv : ['list'], env);
