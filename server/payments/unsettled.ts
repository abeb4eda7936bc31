import type { Metrics } from '../http/metrics';

const sets = new WeakMap<Metrics, Set<string>>();

/** Payments that this server has seen succeed and has not written down yet: empty but for moments. */
export function unsettledOf(metrics: Metrics): Set<string> {
  const found = sets.get(metrics) ?? new Set<string>();
  sets.set(metrics, found);
  return found;
}
