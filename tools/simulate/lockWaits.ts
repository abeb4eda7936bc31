import type { Client } from 'pg';
import { frozenSessions } from './frozenSessions';
import { realMs, realSleep, simulatedRuntime } from './simulatedRuntime';
import type { Operation } from './operations';
import { readBlockers } from './sessions';

export const MAX_STATEMENT_MS = 20_000;

/** Must match `lock_timeout` in the server's session settings, which the simulator turns off. */
const LOCK_TIMEOUT_MS = 3_000;

const DEADLOCK = { code: '40P01', message: 'deadlock detected' };
const LOCK_TIMEOUT = { code: '55P03', message: 'canceling statement due to lock timeout' };

/** @returns whether the session `start` waits for itself through other sessions */
function isInCycle(start: number, waitsFor: Map<number, number[]>): boolean {
  const seen = new Set<number>();
  const queue = [...(waitsFor.get(start) ?? [])];
  for (let pid = queue.pop(); pid !== undefined; pid = queue.pop()) {
    if (pid === start) return true;
    if (seen.has(pid)) continue;
    seen.add(pid);
    queue.push(...(waitsFor.get(pid) ?? []));
  }
  return false;
}

/**
 * Chooses the statement to cancel: one that has waited too long, or the newest one in a deadlock.
 * @param blockers the sessions that each statement waits for
 */
function findVictim(blocked: Operation[], blockers: number[][]) {
  const overdue = blocked.find(({ blockedAt }) => simulatedRuntime.now - blockedAt >= LOCK_TIMEOUT_MS);
  if (overdue) return { operation: overdue, reason: LOCK_TIMEOUT };
  const waitsFor = new Map(blocked.map(({ client }, n) => [client!.pid, blockers[n]!] as const));
  const cycle = blocked.filter(({ client }) => isInCycle(client!.pid, waitsFor));
  const newest = cycle.sort((a, b) => b.blockedAt - a.blockedAt || b.id - a.id)[0];
  return newest && { operation: newest, reason: DEADLOCK };
}

/** Waits until the statement ends or waits for another lock. */
async function letGoOn(control: Client, operation: Operation): Promise<void> {
  const { pid } = operation.client!;
  frozenSessions.thaw(pid);
  for (const start = realMs(); !operation.outcome;) {
    if (realMs() - start > MAX_STATEMENT_MS)
      throw new Error('A statement did not end within 20 seconds after its lock was released.');
    await realSleep(1);
    const [blockers] = await readBlockers(control, [pid]);
    if (!operation.outcome && blockers!.length > 0) return frozenSessions.freeze(pid);
  }
  operation.state = 'finished';
}

async function cancelStatement(control: Client, operation: Operation, reason: typeof DEADLOCK): Promise<void> {
  const { pid } = operation.client!;
  await control.query('select pg_cancel_backend($1)', [pid]);
  frozenSessions.thaw(pid);
  while (!operation.outcome) await realSleep(1);
  operation.state = 'finished';
  const { error } = operation.outcome;
  if (error?.code === '57014') Object.assign(error, reason);
}

/**
 * Lets statements go on whose locks the last step released, one after another, so that their order is always the same.
 * Cancels overdue statements and deadlocks.
 */
export async function endLockWaits(control: Client, listBlocked: () => Operation[]): Promise<void> {
  for (let blocked = listBlocked(); blocked.length > 0; blocked = listBlocked()) {
    const blockers = await readBlockers(
      control,
      blocked.map(({ client }) => client!.pid),
    );
    const released = blocked.find((_, n) => blockers[n]!.length === 0);
    const victim = released ? undefined : findVictim(blocked, blockers);
    if (released) await letGoOn(control, released);
    else if (victim) await cancelStatement(control, victim.operation, victim.reason);
    else return;
  }
}
