import { and, eq, lt, notExists, sql, type SQL } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import { makeScheduledChanges } from './scheduledChanges';
import { BATCH_SIZE, claimEvents, markDelivered, scheduleRetry, releaseEvent, type EventRow } from './eventQueue';
import { signatureOf } from './sandboxEvents';
import type { Db, StripeSandboxOptions } from './sandboxOptions';
import { sandboxEvents, sandboxIdempotency, sandboxIntents, sandboxPaymentMethods } from './schema';

type WebhookSenderDeps = Pick<StripeSandboxOptions, 'db' | 'now' | 'deliver' | 'onError' | 'faults'> & {
  webhookSecret: string;
};

const POLL_MS = 1000;
const CHANGE_CHECK_INTERVAL_MS = 500;
/** The pause after each delivery run. The next run sends the events of this time together. */
const BATCH_DELAY_MS = 20;
const CLEANUP_INTERVAL_MS = 3_600_000;

/** @returns whether the webhook accepted the event */
async function sendEvent(
  { deliver, now, webhookSecret, onError }: WebhookSenderDeps,
  event: EventRow,
): Promise<boolean> {
  const rawBody = JSON.stringify(event.body);
  const reportFailure = (error: unknown) => {
    onError(error);
    return 0;
  };
  const status = await deliver(rawBody, signatureOf(rawBody, webhookSecret, now())).catch(reportFailure);
  return status >= 200 && status < 300;
}

/** @returns whether the batch was full, so that more events may be due */
async function sendDueEvents(deps: WebhookSenderDeps): Promise<boolean> {
  const due = await claimEvents(deps.db, deps.now());
  const eventsToSend = deps.faults?.onDelivery?.(due) ?? due;
  const accepted: EventRow[] = [];
  for (const event of eventsToSend) {
    if (await sendEvent(deps, event)) accepted.push(event);
    else await scheduleRetry(deps.db, event, deps.now());
  }
  await markDelivered(deps.db, accepted, deps.now());
  for (const event of due) if (!eventsToSend.includes(event)) await releaseEvent(deps.db, event);
  return eventsToSend.length >= BATCH_SIZE;
}

const DAY_MS = 24 * 3_600_000;
/** Limits how long one statement takes. */
const ROWS_PER_STATEMENT = 5_000;

async function deleteInBatches(db: Db, table: PgTable, condition: SQL | undefined): Promise<void> {
  for (let isFull = true; isFull;) {
    const batch = db
      .select({ row: sql`ctid` })
      .from(table)
      .where(condition)
      .limit(ROWS_PER_STATEMENT);
    const { rowCount } = await db.delete(table).where(sql`ctid = any(array(${batch}))`);
    isFull = rowCount === ROWS_PER_STATEMENT;
  }
}

const EVENT_RETENTION_DAYS = 30;

/** As at Stripe, idempotency keys expire after a day, and events after 30 days. Unused cards expire after a day too. */
async function deleteExpired(db: Db, now: Date): Promise<void> {
  const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS);
  await deleteInBatches(db, sandboxIdempotency, lt(sandboxIdempotency.createdAt, daysAgo(1)));
  await deleteInBatches(db, sandboxEvents, lt(sandboxEvents.createdAt, daysAgo(EVENT_RETENTION_DAYS)));
  const intents = db.select().from(sandboxIntents).where(eq(sandboxIntents.paymentMethodId, sandboxPaymentMethods.id));
  const isUnused = and(lt(sandboxPaymentMethods.createdAt, daysAgo(1)), notExists(intents));
  await deleteInBatches(db, sandboxPaymentMethods, isUnused);
}

/** Sends events, makes scheduled changes and deletes expired rows, when `wake` is called and otherwise every second. */
export class WebhookSender {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private isStarted = false;
  private isPausing = false;
  private isWoken = false;
  private nextCleanup = 0;
  private lastChangeCheck = 0;

  constructor(private readonly deps: WebhookSenderDeps) {}

  start() {
    this.isStarted = true;
    this.wake();
  }

  wake = () => {
    this.isWoken = true;
    if (!this.isStarted || this.running || this.isPausing) return;
    clearTimeout(this.timer);
    this.running = this.runOnce().finally(() => this.pause());
  };

  async stop() {
    this.isStarted = false;
    clearTimeout(this.timer);
    await this.running;
  }

  private pause() {
    this.running = undefined;
    if (!this.isStarted) return;
    this.isPausing = true;
    this.timer = setTimeout(() => this.endPause(), BATCH_DELAY_MS).unref();
  }

  private endPause() {
    this.isPausing = false;
    if (this.isWoken) this.wake();
    else this.timer = setTimeout(this.wake, POLL_MS).unref();
  }

  /** If a run fails, for example because the database is down, the next poll repeats it. */
  private async runOnce() {
    this.isWoken = false;
    try {
      await this.makeScheduledChanges().catch(this.deps.onError);
      while ((await sendDueEvents(this.deps)) && this.isStarted);
      await this.cleanUp();
    } catch (error) {
      this.isWoken = false;
      this.deps.onError(error);
    }
  }

  /**
   * Looks for due changes at most twice a second, although a busy service wakes up far more often. If the clock was set
   * back, `elapsedMs` is negative, and this looks at once.
   */
  private async makeScheduledChanges() {
    const now = this.deps.now();
    const elapsedMs = now.getTime() - this.lastChangeCheck;
    if (elapsedMs >= 0 && elapsedMs < CHANGE_CHECK_INTERVAL_MS) return;
    this.lastChangeCheck = now.getTime();
    await makeScheduledChanges({ ...this.deps, now });
  }

  private async cleanUp() {
    const now = this.deps.now();
    if (now.getTime() < this.nextCleanup) return;
    this.nextCleanup = now.getTime() + CLEANUP_INTERVAL_MS;
    await deleteExpired(this.deps.db, now);
  }
}
