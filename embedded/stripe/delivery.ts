import { and, eq, lt, notExists } from 'drizzle-orm';
import { BATCH, claimEvents, noteDelivered, noteFailure, releaseEvent, type EventRow } from './eventQueue';
import { signatureOf } from './sandboxEvents';
import type { SandboxFaults } from './faults';
import type { Db } from './sandboxOptions';
import { sandboxEvents, sandboxIdempotency, sandboxIntents, sandboxPaymentMethods } from './schema';

export interface DeliveryDeps {
  db: Db;
  webhookSecret: string;
  now: () => Date;
  deliver: (rawBody: string, signature: string) => Promise<number>;
  onError: (error: unknown) => void;
  faults?: SandboxFaults;
}

const POLL_MS = 1000;
/** What happens within so long of a round is sent together in the next. */
const TOGETHER_MS = 20;
const CLEANUP_MS = 3_600_000;

/** @returns whether the webhook took it */
async function send({ deliver, now, webhookSecret, onError }: DeliveryDeps, event: EventRow): Promise<boolean> {
  const rawBody = JSON.stringify(event.body);
  const failed = (error: unknown) => {
    onError(error);
    return 0;
  };
  const status = await deliver(rawBody, signatureOf(rawBody, webhookSecret, now())).catch(failed);
  return status >= 200 && status < 300;
}

/** @returns whether more may be due */
async function sendDue(deps: DeliveryDeps): Promise<boolean> {
  const due = await claimEvents(deps.db, deps.now());
  const chosen = deps.faults?.onDelivery?.(due) ?? due;
  const taken: EventRow[] = [];
  for (const event of chosen) {
    if (await send(deps, event)) taken.push(event);
    else await noteFailure(deps.db, event, deps.now());
  }
  await noteDelivered(deps.db, taken, deps.now());
  for (const event of due) if (!chosen.includes(event)) await releaseEvent(deps.db, event);
  return chosen.length >= BATCH;
}

const DAY_MS = 24 * 3_600_000;
const EVENTS_KEPT_DAYS = 30;

/** Deletes what Stripe deletes too: keys after a day, events after 30 days, and cards that were never used. */
async function deleteExpired(db: Db, now: Date): Promise<void> {
  const before = (days: number) => new Date(now.getTime() - days * DAY_MS);
  await db.delete(sandboxIdempotency).where(lt(sandboxIdempotency.createdAt, before(1)));
  await db.delete(sandboxEvents).where(lt(sandboxEvents.createdAt, before(EVENTS_KEPT_DAYS)));
  const users = db.select().from(sandboxIntents).where(eq(sandboxIntents.paymentMethodId, sandboxPaymentMethods.id));
  await db.delete(sandboxPaymentMethods).where(and(lt(sandboxPaymentMethods.createdAt, before(1)), notExists(users)));
}

/** Sends events until it is stopped: at once when woken, else every second. */
export class Delivery {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private started = false;
  private pausing = false;
  private woken = false;
  private nextCleanup = 0;

  constructor(private readonly deps: DeliveryDeps) {}

  start() {
    this.started = true;
    this.wake();
  }

  wake = () => {
    this.woken = true;
    if (!this.started || this.running || this.pausing) return;
    clearTimeout(this.timer);
    this.running = this.round().finally(() => this.rest());
  };

  async stop() {
    this.started = false;
    clearTimeout(this.timer);
    await this.running;
  }

  private rest() {
    this.running = undefined;
    if (!this.started) return;
    this.pausing = true;
    this.timer = setTimeout(() => this.goOn(), TOGETHER_MS).unref();
  }

  private goOn() {
    this.pausing = false;
    if (this.woken) this.wake();
    else this.timer = setTimeout(this.wake, POLL_MS).unref();
  }

  /** When the database is away, the next round tries again. */
  private async round() {
    this.woken = false;
    try {
      while ((await sendDue(this.deps)) && this.started);
      await this.cleanUp();
    } catch (error) {
      this.woken = false;
      this.deps.onError(error);
    }
  }

  private async cleanUp() {
    const now = this.deps.now();
    if (now.getTime() < this.nextCleanup) return;
    this.nextCleanup = now.getTime() + CLEANUP_MS;
    await deleteExpired(this.deps.db, now);
  }
}
