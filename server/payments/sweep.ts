import { forgetEndedSessions } from '../auth/sessions';
import { LOCK } from '../db/advisoryLocks';
import type { Deps } from '../deps';
import { databaseRateLimit, forgetPastLimits } from '../http/rateLimit';
import { forgetOldKeys } from '../orders/placeOrder';
import { endHolds } from './endHolds';
import { finishMarked } from './formerOrders';
import { watchHoarding } from './paymentMetrics';
import { checkOpenAttempts, reconcile } from './reconcile';
import { forgetOldEvents } from './webhook';

const MINUTE_MS = 60_000;

type Part = (deps: Deps) => Promise<unknown>;

/** A part that fails is no reason to leave out the next. */
async function run(deps: Deps, parts: Part[]): Promise<void> {
  for (const part of parts) {
    if (deps.closing.aborted) return;
    await part(deps).catch((error: unknown) =>
      deps.log.warn({ err: error, part: part.name }, 'the sweep will try again'),
    );
  }
}

const deleteMarkedOrders: Part = (deps) => finishMarked(deps);
const everyMinute: Part[] = [deleteMarkedOrders, checkOpenAttempts, endHolds, watchHoarding];
const everyHour: Part[] = [
  reconcile,
  forgetOldKeys,
  forgetOldEvents,
  forgetEndedSessions,
  ({ db, now }) => forgetPastLimits(db, now()),
];

/** Of several servers one does it, and the others need not. */
async function alone(deps: Deps, work: () => Promise<void>): Promise<void> {
  const client = await deps.db.$client.connect();
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
export async function sweepOnce(deps: Deps, always = true): Promise<void> {
  const due = databaseRateLimit(deps.db, deps.now);
  await alone(deps, async () => {
    const minute = await due('sweep every minute', 1, 50);
    if (minute.ok || always) await run(deps, everyMinute);
    const hour = await due('sweep every hour', 1, 3_590);
    if (hour.ok || always) await run(deps, everyHour);
  });
}

/** At once and then every minute, until stopped; answers how to stop. */
export function startSweeps(deps: Deps): () => Promise<void> {
  let running: Promise<void> | undefined;
  const round = (always: boolean) => {
    running ??= sweepOnce(deps, always)
      .catch((error: unknown) => deps.log.warn({ err: error }, 'the sweep will try again'))
      .finally(() => (running = undefined));
  };
  round(true);
  const timer = setInterval(() => round(false), MINUTE_MS);
  return async () => {
    clearInterval(timer);
    await running;
  };
}
