import { and, eq, sql } from 'drizzle-orm';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../db/database';
import { updateInBatches } from '../db/deleteInBatches';
import { mails } from '../db/schema';
import { HOUR_MS, MINUTE_MS } from '../db/time';
import type { MailContext } from './context';
import { MailError } from './smtp';

export type MailRow = typeof mails.$inferSelect;

/**
 * A mail server can take half a minute to check an email. With a shorter timeout, such an email would be aborted and
 * sent again each time.
 */
export const SEND_TIMEOUT_MS = MINUTE_MS;
/** A server sends an email only while the timeout is left, so the lease cannot end while it is still sending. */
const LEASE_MS = SEND_TIMEOUT_MS + MINUTE_MS;
const GIVE_UP_AFTER_MS = 48 * HOUR_MS;
const MAX_PAUSE_MS = 4 * HOUR_MS;
const RECORD_RETRY_MS = 1_000;
const MAX_ERROR_LENGTH = 300;

/** The pause before the next try is one minute at first. It doubles with each try, up to four hours. */
const pauseAfter = (tries: number) => Math.min(MINUTE_MS * 2 ** (tries - 1), MAX_PAUSE_MS);
const timestampSql = (time: Date) => sql`${time.toISOString()}::timestamptz`;

/**
 * Claims the next due email for this server. An expired lease means that its owner died.
 * @param inProgress - the emails this server is still sending or recording. If it was suspended, their leases may have
 *   ended, but it must not send them twice.
 */
export async function claimMail(
  { db, now }: MailContext,
  inProgress: ReadonlySet<number>,
): Promise<MailRow | undefined> {
  const time = now();
  const due = sql`select id from mails where state = 'queued' and next_try_at <= ${timestampSql(time)}
    and (lease_until is null or lease_until <= ${timestampSql(time)})
    and id <> all(${sql.param([...inProgress])}::bigint[])
    order by next_try_at, id limit 1 for update skip locked`;
  const [mail] = await db
    .update(mails)
    .set({ leaseUntil: new Date(time.getTime() + LEASE_MS), tries: sql`${mails.tries} + 1` })
    .where(sql`${mails.id} = (${due})`)
    .returning();
  return mail;
}

/**
 * Records the outcome of a try and ends the lease. Does nothing if this server no longer holds the lease, because
 * another server may then be sending the email.
 */
export async function recordOutcome({ db }: { db: Db }, { id, leaseUntil }: MailRow, set: Partial<MailRow>) {
  await db
    .update(mails)
    .set({ ...set, leaseUntil: null })
    .where(and(eq(mails.id, id), eq(mails.leaseUntil, leaseUntil!)));
}

/**
 * Does not require the lease. If another server took over meanwhile and its try fails, the email must not be sent again.
 */
const markSent = ({ db, now }: MailContext, { id }: MailRow) =>
  db
    .update(mails)
    .set({ state: 'sent', sentAt: now(), error: null, leaseUntil: null, link: null })
    .where(and(eq(mails.id, id), eq(mails.state, 'queued')));

/**
 * If the database cannot be reached, tries again until the lease ends. After that, another server will send the email
 * again.
 */
export async function recordSent(ctx: MailContext, mail: MailRow): Promise<void> {
  for (;;) {
    try {
      await markSent(ctx, mail);
      return;
    } catch (error) {
      if (ctx.closing.aborted || ctx.now() >= mail.leaseUntil!) throw error;
      ctx.log.warn({ err: error, mailId: mail.id }, 'could not record that the mail was sent; trying again');
      await sleep(RECORD_RETRY_MS);
    }
  }
}

/** Decides whether to try again. The last try is made two days after the email was queued. */
function outcomeOf(ctx: MailContext, mail: MailRow, error: unknown): Partial<MailRow> {
  const message = (error as Error).message.slice(0, MAX_ERROR_LENGTH);
  const [now, giveUpAt] = [ctx.now().getTime(), mail.createdAt.getTime() + GIVE_UP_AFTER_MS];
  if ((error instanceof MailError && error.isFinal) || now >= giveUpAt) return { state: 'failed', error: message };
  return { nextTryAt: new Date(Math.min(now + pauseAfter(mail.tries), giveUpAt)), error: message };
}

/** Does not log the mail server's reply, because it often contains the recipient's address. */
export async function recordFailure(ctx: MailContext, mail: MailRow, error: unknown): Promise<void> {
  // This server is stopping and has aborted the email. After a restart, it is sent at once.
  if (ctx.closing.aborted) return recordOutcome(ctx, mail, {});
  const outcome = outcomeOf(ctx, mail, error);
  await recordOutcome(ctx, mail, outcome);
  const cause = error instanceof MailError ? error.details : { err: error };
  const fields = { mailId: mail.id, kind: mail.kind, orderId: mail.orderId, tries: mail.tries, ...cause };
  if (outcome.state) ctx.log.error(fields, 'mail failed');
  else ctx.log.warn(fields, 'could not send mail');
}

export const deleteExpiredLinks = ({ db, now }: Pick<MailContext, 'db' | 'now'>) =>
  updateInBatches(db, mails, { link: null }, sql`link is not null and link_expires_at <= ${now()}`);
