import { eq } from 'drizzle-orm';
import { createHash } from 'node:crypto';
import { mails } from '../db/schema';
import { claimMail, recordOutcome, recordFailure, recordSent, SEND_TIMEOUT_MS, type MailRow } from './mailQueue';
import type { MailContext } from './context';
import { prepareMail } from './prepareMail';
import { MailError, type MailSender } from './smtp';

/** How many emails this server sends at the same time, over one connection each. */
const WORKER_COUNT = 4;
/** A server that is stopping aborts an email after this time. Another server sends it, or this one after a restart. */
const STOP_TIMEOUT_MS = 3_000;
const DAY_SECONDS = 86_400;
/** Anyone can sign up with a stranger's address and place orders, which is free. */
const MAX_LIMITED_MAILS_PER_DAY = 1;

/**
 * If a server crashes after sending an email, another server sends it again. The email keeps its id, so that a mail
 * server can drop the duplicate.
 */
const messageIdOf = ({ kind, about }: MailRow, publicUrl: string) =>
  `<${kind.replaceAll(' ', '-')}.${about}@${new URL(publicUrl).hostname}>`;

/**
 * Limits how long one email may take. When the server stops, the limit becomes shorter.
 * @returns a signal that aborts the email, and a function that clears the timers
 */
function startDeadline({ closing, sendTimeoutMs = SEND_TIMEOUT_MS }: MailContext) {
  const controller = new AbortController();
  const abortIn = (ms: number) => setTimeout(() => controller.abort(), ms);
  const timers = [abortIn(sendTimeoutMs)];
  const onClosing = () => void timers.push(abortIn(STOP_TIMEOUT_MS));
  if (closing.aborted) onClosing();
  else closing.addEventListener('abort', onClosing);
  const clear = () => {
    closing.removeEventListener('abort', onClosing);
    timers.forEach(clearTimeout);
  };
  return { signal: controller.signal, clear };
}

async function hasReachedDailyLimit({ limit }: MailContext, recipient: string): Promise<boolean> {
  const address = createHash('sha256').update(recipient).digest('base64url');
  return !(await limit(`order mail ${address}`, MAX_LIMITED_MAILS_PER_DAY, DAY_SECONDS)).ok;
}

/** @returns why the email must not be sent, or undefined once the mail server has accepted it */
async function sendMail(ctx: MailContext, sender: MailSender, mail: MailRow): Promise<string | undefined> {
  const deadline = startDeadline(ctx);
  try {
    const { reasonNotToSend, isLimited, ...prepared } = await prepareMail(ctx, mail);
    if (reasonNotToSend) return reasonNotToSend;
    // Only the first try counts.
    if (isLimited && mail.tries === 1 && (await hasReachedDailyLimit(ctx, prepared.to.address)))
      return 'The address is not verified, and it got an email about an order within a day.';
    await ctx.checkpoint('send mail');
    // So little is left of the lease only if this process was suspended. Another server may send the email meanwhile.
    if (ctx.now().getTime() + SEND_TIMEOUT_MS > mail.leaseUntil!.getTime())
      throw new MailError('The lease on this email was too short for this server to send it.');
    const headers = { messageId: messageIdOf(mail, ctx.publicUrl), date: mail.createdAt };
    await sender.send({ ...prepared, ...headers }, deadline.signal);
    await ctx.checkpoint('record sent mail');
    return undefined;
  } finally {
    deadline.clear();
  }
}

/** @returns whether the worker may continue with the next email */
async function sendAndRecord(ctx: MailContext, sender: MailSender, mail: MailRow): Promise<boolean> {
  let reasonNotSent: string | undefined;
  try {
    reasonNotSent = await sendMail(ctx, sender, mail);
  } catch (error) {
    await recordFailure(ctx, mail, error);
    return error instanceof MailError && error.isFinal;
  }
  await (reasonNotSent ? recordOutcome(ctx, mail, { state: 'not sent', error: reasonNotSent }) : recordSent(ctx, mail));
  return true;
}

async function claimAndTrack(ctx: MailContext, inProgress: Set<number>): Promise<MailRow | undefined> {
  const mail = await claimMail(ctx, inProgress);
  if (mail) inProgress.add(mail.id);
  return mail;
}

async function runWorker(
  ctx: MailContext,
  sender: MailSender,
  inProgress: Set<number>,
  first?: MailRow,
): Promise<void> {
  let mail = first ?? (await claimAndTrack(ctx, inProgress));
  while (mail && (await sendAndRecord(ctx, sender, mail)) && !ctx.closing.aborted) {
    inProgress.delete(mail.id);
    mail = await claimAndTrack(ctx, inProgress);
  }
}

/** While sending is off, queued emails become `not sent`. They are never sent later, but `npm run mail` shows them. */
const markNotSent = ({ db }: MailContext) =>
  db.update(mails).set({ state: 'not sent' }).where(eq(mails.state, 'queued'));

/**
 * Sends all emails that are due. After a failure that may be temporary, the worker stops, because the next email would
 * probably fail too.
 */
export async function sendQueuedMail(ctx: MailContext): Promise<void> {
  const { sender } = ctx;
  if (!sender) return void (await markNotSent(ctx));
  const inProgress = new Set<number>();
  const first = ctx.closing.aborted ? undefined : await claimAndTrack(ctx, inProgress);
  if (!first) return;
  const workers = Array.from({ length: WORKER_COUNT }, (_, n) =>
    runWorker(ctx, sender, inProgress, n === 0 ? first : undefined),
  );
  const failed = (await Promise.allSettled(workers)).find(({ status }) => status === 'rejected');
  if (failed) throw (failed as PromiseRejectedResult).reason;
}

const POLL_MS = 2_000;

/**
 * Looks for queued emails every two seconds.
 * @returns a function that stops sending
 */
export function startSendingMail(ctx: MailContext): () => Promise<void> {
  let running: Promise<void> | undefined;
  const sendRound = () =>
    (running ??= sendQueuedMail(ctx)
      .catch((error: unknown) => ctx.log.warn({ err: error }, 'could not process queued mail'))
      .finally(() => (running = undefined)));
  void sendRound();
  const timer = setInterval(sendRound, POLL_MS);
  return async () => {
    clearInterval(timer);
    await running;
    // Without SMTP_URL, each round marks queued emails as `not sent`. This last round marks those queued since the
    // previous one. Otherwise a restart with SMTP_URL would send them.
    if (!ctx.sender) await sendRound();
  };
}
