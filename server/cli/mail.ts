import { desc, eq } from 'drizzle-orm';
import type { Db } from '../db/database';
import { mails } from '../db/schema';
import { prepareMail } from '../mail/prepareMail';
import type { Settings } from '../settings/settings';
import { connectToShopDatabase } from './connectToShopDatabase';

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

async function list(db: Db, settings: Settings): Promise<string> {
  const rows = await db.select().from(mails).orderBy(desc(mails.id)).limit(MAX_LISTED_MAILS);
  const offNote = settings.mail ? '' : 'Sending is off: set SMTP_URL and MAIL_FROM to send mail.\n';
  if (rows.length === 0) return `${offNote}There are no emails.`;
  const lines = rows.map(
    (mail) =>
      `${mail.id}  ${mail.createdAt.toISOString()}  ${mail.kind}, ${describeSubject(mail)}  ${describeState(mail)}`,
  );
  return offNote + lines.map(toOneLine).join('\n');
}

async function show(db: Db, settings: Settings, id: string): Promise<string | undefined> {
  const [mail] = /^\d{1,15}$/.test(id)
    ? await db
        .select()
        .from(mails)
        .where(eq(mails.id, Number(id)))
    : [];
  if (!mail) return undefined;
  const { publicUrl } = settings;
  const { subject, text, to } = await prepareMail({ db, publicUrl, now: () => new Date() }, mail);
  const { name, address } = to;
  const headers = [
    `To: ${name ? `${name} <${address}>` : address}`,
    `Subject: ${subject}`,
    `State: ${describeState(mail)}`,
  ];
  return `${headers.map(toOneLine).join('\n')}\n\n${text}`;
}

export async function main(argv: string[], env: Record<string, string | undefined>): Promise<number> {
  const [command, id, ...rest] = argv;
  const isList = (command === 'list' || command === undefined) && id === undefined;
  const isShow = command === 'show' && id !== undefined && rest.length === 0;
  if (!isList && !isShow) {
    process.stderr.write(`${USAGE}\n`);
    return 1;
  }
  const { db, settings, close } = await connectToShopDatabase(env);
  try {
    const output = isList ? await list(db, settings) : await show(db, settings, id!);
    if (output === undefined) process.stderr.write(`There is no email ${id}. List them with: npm run mail -- list\n`);
    else process.stdout.write(`${output}\n`);
    return output === undefined ? 1 : 0;
  } finally {
    await close();
  }
}
