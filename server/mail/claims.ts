import { and, eq, lt, sql } from 'drizzle-orm';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../db/database';
import { mails } from '../db/schema';
import type { MailContext } from './context';
import { MailError } from './smtp';

export type MailRow = typeof mails.$inferSelect;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** A mail server can take half a minute to check an email. Giving up earlier would send it again and again. */
export const SEND_TIMEOUT_MS = MINUTE_MS;
/** Longer than sending takes, so that no other server sends the same email at the same time. */
const LEASE_MS = SEND_TIMEOUT_MS + MINUTE_MS;
const GIVE_UP_AFTER_MS = 48 * HOUR_MS;
const LONGEST_PAUSE_MS = 4 * HOUR_MS;
const RECORD_PAUSE_MS = 1_000;
const KEPT_DAYS = 90;
const MAX_ERROR_LENGTH = 300;

/** One minute, then twice as long each time. */
const pauseAfter = (tries: number) => Math.min(MINUTE_MS * 2 ** (tries - 1), LONGEST_PAUSE_MS);
const at = (time: Date) => sql`${time.toISOString()}::timestamptz`;

/** Claims the next due email for this server. An expired lease means that its owner died. */
export async function claimMail({ db, now }: MailContext): Promise<MailRow | undefined> {
  const time = now();
  const due = sql`select id from mails where state = 'queued' and next_try_at <= ${at(time)}
    and (lease_until is null or lease_until <= ${at(time)})
    order by next_try_at, id limit 1 for update skip locked`;
  const [mail] = await db
    .update(mails)
    .set({ leaseUntil: new Date(time.getTime() + LEASE_MS), tries: sql`${mails.tries} + 1` })
    .where(sql`${mails.id} = (${due})`)
    .returning();
  return mail;
}

/** Only the server that holds the lease records an outcome. */
export const finishMail = ({ db }: { db: Db }, { id, leaseUntil }: MailRow, set: Partial<MailRow>) =>
  db
    .update(mails)
    .set({ ...set, leaseUntil: null })
    .where(and(eq(mails.id, id), eq(mails.leaseUntil, leaseUntil!)));

/** Tries again until the lease ends, because after that the email would be sent a second time. */
export async function recordSent(ctx: MailContext, mail: MailRow): Promise<void> {
  for (;;) {
    try {
      await finishMail(ctx, mail, { state: 'sent', sentAt: ctx.now(), error: null });
      return;
    } catch (error) {
      if (ctx.closing.aborted || ctx.now() >= mail.leaseUntil!) throw error;
      ctx.log.warn({ err: error, mailId: mail.id }, 'could not record sent mail');
      await sleep(RECORD_PAUSE_MS);
    }
  }
}

/** The last attempt is two days after the email was queued. */
function outcomeOf(ctx: MailContext, mail: MailRow, error: unknown): Partial<MailRow> {
  const message = (error as Error).message.slice(0, MAX_ERROR_LENGTH);
  const [now, giveUpAt] = [ctx.now().getTime(), mail.createdAt.getTime() + GIVE_UP_AFTER_MS];
  if ((error instanceof MailError && error.isFinal) || now >= giveUpAt) return { state: 'failed', error: message };
  return { nextTryAt: new Date(Math.min(now + pauseAfter(mail.tries), giveUpAt)), error: message };
}

/** Logs no address: the mail server's answer often repeats the recipient. */
export async function recordFailure(ctx: MailContext, mail: MailRow, error: unknown): Promise<void> {
  // This server is stopping, so this attempt does not count. The next server sends the email immediately.
  if (ctx.closing.aborted) return void (await finishMail(ctx, mail, { tries: mail.tries - 1 }));
  const outcome = outcomeOf(ctx, mail, error);
  await finishMail(ctx, mail, outcome);
  const cause = error instanceof MailError ? error.details : { err: error };
  const fields = { mailId: mail.id, kind: mail.kind, orderId: mail.orderId, tries: mail.tries, ...cause };
  if (outcome.state) ctx.log.error(fields, 'mail failed');
  else ctx.log.warn(fields, 'could not send mail');
}

/** A step of the sweep. */
export const deleteOldMail = ({ db, now }: Pick<MailContext, 'db' | 'now'>) =>
  db.delete(mails).where(lt(mails.createdAt, new Date(now().getTime() - KEPT_DAYS * 24 * HOUR_MS)));
