import { deleteUnusedPictures } from '../catalog/pictures';
import { runUnlessSweeping } from '../db/locks';
import { MINUTE_MS } from '../db/time';
import { createDatabaseRateLimit } from '../http/rateLimit';
import { deleteExpiredLinks } from '../mail/mailQueue';
import { blankDeletedOrders, deleteOldOrders } from '../orders/deletedOrders';
import {
  checkOpenRefunds,
  recordMissedRefunds,
  refundAfterDisputes,
  refundLatePayments,
} from '../payments/checkRefunds';
import type { PaymentContext } from '../payments/context';
import { endExpiredHolds } from '../holds/endHolds';
import { warnOfHoarding } from '../payments/paymentMetrics';
import { numberPapers } from '../payments/paperNumbers';
import { recordMissedDisputes } from '../payments/disputes';
import { checkOpenAttempts, recordMissedPayments } from '../payments/reconcile';
import { deletionSteps } from './deleteOldRows';

/** A little shorter than a minute and an hour, so that a timer that fires early does not skip the steps. */
const MINUTE_WINDOW_SECONDS = 50;
const HOUR_WINDOW_SECONDS = 3_590;

type SweepStep = (ctx: PaymentContext) => Promise<unknown>;

/** Runs the steps one after the other. A failed step does not stop the next ones. */
async function runSteps(ctx: PaymentContext, steps: SweepStep[]): Promise<void> {
  for (const step of steps) {
    if (ctx.closing.aborted) return;
    await step(ctx).catch((error: unknown) => ctx.log.warn({ err: error, step: step.name }, 'sweep step failed'));
  }
}

const stepsEveryMinute: SweepStep[] = [
  checkOpenAttempts,
  endExpiredHolds,
  refundLatePayments,
  checkOpenRefunds,
  numberPapers,
  warnOfHoarding,
];
const stepsEveryHour: SweepStep[] = [
  recordMissedPayments,
  recordMissedRefunds,
  recordMissedDisputes,
  refundAfterDisputes,
  deleteExpiredLinks,
  deleteUnusedPictures,
  blankDeletedOrders,
  deleteOldOrders,
  ...deletionSteps,
];

/**
 * Runs one sweep, unless another server is sweeping right now.
 * @param isForced whether to run even the steps that another server has just run
 */
export async function sweepOnce(ctx: PaymentContext, isForced = true): Promise<void> {
  const limit = createDatabaseRateLimit(ctx.db, ctx.now);
  await runUnlessSweeping(ctx.db, async () => {
    const minute = await limit('sweep every minute', 1, MINUTE_WINDOW_SECONDS);
    if (minute.ok || isForced) await runSteps(ctx, stepsEveryMinute);
    const hour = await limit('sweep every hour', 1, HOUR_WINDOW_SECONDS);
    if (hour.ok || isForced) await runSteps(ctx, stepsEveryHour);
  });
}

/**
 * Sweeps immediately and then every minute.
 * @returns a function that stops the sweeps
 */
export function startSweeps(ctx: PaymentContext): () => Promise<void> {
  let running: Promise<void> | undefined;
  const startSweep = (isForced: boolean) => {
    running ??= sweepOnce(ctx, isForced)
      .catch((error: unknown) => ctx.log.warn({ err: error }, 'sweep failed'))
      .finally(() => (running = undefined));
  };
  startSweep(true);
  const timer = setInterval(() => startSweep(false), MINUTE_MS);
  return async () => {
    clearInterval(timer);
    await running;
  };
}
