import { deleteOldEndedSessions } from '../auth/sessions';
import { runOnOneServer } from '../db/locks';
import { createDatabaseRateLimit, deleteExpiredLimits } from '../http/rateLimit';
import { deleteOldMail } from '../mail/mailQueue';
import { deleteOldIdempotencyKeys } from '../orders/placeOrder';
import { checkOpenRefunds, recordMissedRefunds, refundLatePayments } from './checkRefunds';
import type { PaymentContext } from './context';
import { copyDisputesToOrders } from './disputes';
import { endExpiredHolds } from './endHolds';
import { deleteMarkedOrders } from './formerOwnerOrders';
import { warnOfHoarding } from './paymentMetrics';
import { checkOpenAttempts, recordMissedPayments } from './reconcile';
import { deleteOldEvents } from './webhook';

const MINUTE_MS = 60_000;

type SweepStep = (ctx: PaymentContext) => Promise<unknown>;

/** Runs the steps one after the other. A failed step does not stop the next ones. */
async function runSteps(ctx: PaymentContext, steps: SweepStep[]): Promise<void> {
  for (const step of steps) {
    if (ctx.closing.aborted) return;
    await step(ctx).catch((error: unknown) => ctx.log.warn({ err: error, step: step.name }, 'sweep step failed'));
  }
}

const everyMinute: SweepStep[] = [
  deleteMarkedOrders,
  checkOpenAttempts,
  endExpiredHolds,
  refundLatePayments,
  checkOpenRefunds,
  warnOfHoarding,
];
const everyHour: SweepStep[] = [
  recordMissedPayments,
  recordMissedRefunds,
  copyDisputesToOrders,
  deleteOldIdempotencyKeys,
  deleteOldEvents,
  deleteOldEndedSessions,
  deleteOldMail,
  ({ db, now }) => deleteExpiredLimits(db, now()),
];

/**
 * Runs one sweep, unless another server is sweeping right now.
 * @param always whether to run even the steps that another server has just run
 */
export async function sweepOnce(ctx: PaymentContext, always = true): Promise<void> {
  const limit = createDatabaseRateLimit(ctx.db, ctx.now);
  await runOnOneServer(ctx.db, ctx.settings.databaseFeatures, 'sweep', async () => {
    const minute = await limit('sweep every minute', 1, 50);
    if (minute.ok || always) await runSteps(ctx, everyMinute);
    const hour = await limit('sweep every hour', 1, 3_590);
    if (hour.ok || always) await runSteps(ctx, everyHour);
  });
}

/**
 * Sweeps immediately and then every minute.
 * @returns a function that stops the sweeps
 */
export function startSweeps(ctx: PaymentContext): () => Promise<void> {
  let running: Promise<void> | undefined;
  const round = (always: boolean) => {
    running ??= sweepOnce(ctx, always)
      .catch((error: unknown) => ctx.log.warn({ err: error }, 'sweep failed'))
      .finally(() => (running = undefined));
  };
  round(true);
  const timer = setInterval(() => round(false), MINUTE_MS);
  return async () => {
    clearInterval(timer);
    await running;
  };
}
