import { forgetEndedSessions } from '../auth/sessions';
import { LOCK } from '../db/advisoryLocks';
import { databaseRateLimit, forgetPastLimits } from '../http/rateLimit';
import { forgetOldKeys } from '../orders/placeOrder';
import type { PaymentContext } from './context';
import { endExpiredHolds } from './endHolds';
import { finishMarked } from './formerOwnerOrders';
import { watchHoarding } from './paymentMetrics';
import { checkOpenAttempts, reconcile } from './reconcile';
import { forgetOldEvents } from './webhook';

const MINUTE_MS = 60_000;

type SweepStep = (ctx: PaymentContext) => Promise<unknown>;

/** A step that fails is no reason to skip the next. */
async function run(ctx: PaymentContext, steps: SweepStep[]): Promise<void> {
  for (const step of steps) {
    if (ctx.closing.aborted) return;
    await step(ctx).catch((error: unknown) =>
      ctx.log.warn({ err: error, part: step.name }, 'the sweep will try again'),
    );
  }
}

const deleteMarkedOrders: SweepStep = (ctx) => finishMarked(ctx);
const everyMinute: SweepStep[] = [deleteMarkedOrders, checkOpenAttempts, endExpiredHolds, watchHoarding];
const everyHour: SweepStep[] = [
  reconcile,
  forgetOldKeys,
  forgetOldEvents,
  forgetEndedSessions,
  ({ db, now }) => forgetPastLimits(db, now()),
];

/** Of several servers one does it, and the others need not. */
async function alone(ctx: PaymentContext, work: () => Promise<void>): Promise<void> {
  const client = await ctx.db.$client.connect();
  let broken = false;
  try {
    const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [LOCK.sweep]);
    if (!rows[0]!.mine) return;
    await work();
    await client.query('select pg_advisory_unlock($1)', [LOCK.sweep]);
  } catch (error) {
    broken = true;
    throw error;
  } finally {
    client.release(broken);
  }
}

/** One round; `always` when it is a server's first, else only if no other server did it just now. */
export async function sweepOnce(ctx: PaymentContext, always = true): Promise<void> {
  const due = databaseRateLimit(ctx.db, ctx.now);
  await alone(ctx, async () => {
    const minute = await due('sweep every minute', 1, 50);
    if (minute.ok || always) await run(ctx, everyMinute);
    const hour = await due('sweep every hour', 1, 3_590);
    if (hour.ok || always) await run(ctx, everyHour);
  });
}

/** At once and then every minute, until stopped; answers how to stop. */
export function startSweeps(ctx: PaymentContext): () => Promise<void> {
  let running: Promise<void> | undefined;
  const round = (always: boolean) => {
    running ??= sweepOnce(ctx, always)
      .catch((error: unknown) => ctx.log.warn({ err: error }, 'the sweep will try again'))
      .finally(() => (running = undefined));
  };
  round(true);
  const timer = setInterval(() => round(false), MINUTE_MS);
  return async () => {
    clearInterval(timer);
    await running;
  };
}
