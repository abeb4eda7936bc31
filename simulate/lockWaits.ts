import { simulatedRuntime } from './simulatedRuntime';
import type { Operation } from './operations';

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
export function findVictim(all: Operation[], blockers: number[][]) {
  const blocked = all.filter(({ state }) => state === 'blocked');
  const overdue = blocked.find(({ blockedAt }) => simulatedRuntime.now - blockedAt >= LOCK_TIMEOUT_MS);
  if (overdue) return { operation: overdue, reason: LOCK_TIMEOUT };
  const waitsFor = new Map(
    all.map(({ client, state }, n) => [client!.pid, state === 'blocked' ? blockers[n]! : []] as const),
  );
  const cycle = blocked.filter(({ client }) => isInCycle(client!.pid, waitsFor));
  const newest = cycle.sort((a, b) => b.blockedAt - a.blockedAt || b.id - a.id)[0];
  return newest && { operation: newest, reason: DEADLOCK };
}
