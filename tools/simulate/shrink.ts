import type { SimulatedCase, Tab } from './plan';
import type { Simulator } from './simulator';

const MAX_RUNS = 150;

/** Removes ids and numbers from a problem, because a smaller case may show the same problem with different ones. */
const kindOf = (problem: string) => problem.replace(/[0-9a-f-]{8,}|\d+/gi, '#').slice(0, 60);

const withoutTab = (simulatedCase: SimulatedCase, n: number): SimulatedCase => ({
  ...simulatedCase,
  tabs: simulatedCase.tabs.filter((_, i) => i !== n),
});

function withoutAction(simulatedCase: SimulatedCase, tab: number, action: number): SimulatedCase {
  const shorter = (each: Tab, n: number) =>
    n === tab ? { ...each, actions: each.actions.filter((_, i) => i !== action) } : each;
  return { ...simulatedCase, tabs: simulatedCase.tabs.map(shorter) };
}

/**
 * Yields cases that are smaller than the current one. After each, `current` may have changed. What was left out has a
 * higher index than what is tried next, so these indexes stay valid.
 */
function* smallerCases(current: () => SimulatedCase): Generator<SimulatedCase> {
  for (let n = current().tabs.length - 1; n >= 0; n--) yield withoutTab(current(), n);
  for (let n = current().tabs.length - 1; n >= 0; n--)
    for (let action = current().tabs[n]!.actions.length - 1; action >= 0; action--)
      yield withoutAction(current(), n, action);
  if (current().copies > 1) yield { ...current(), copies: current().copies - 1 };
  for (const fault of ['provider', 'delivery', 'response', 'mail', 'stall'] as const)
    if (current().faults[fault] > 0) yield { ...current(), faults: { ...current().faults, [fault]: 0 } };
  for (const kind of ['crash', 'leap', 'mail', 'sweep'] as const)
    if (current().weights[kind] > 0) yield { ...current(), weights: { ...current().weights, [kind]: 0 } };
}

/** Replaces ranges of decisions with zeros, beginning with the longest ranges. 0 means the oldest step or no fault. */
function* plainerCases(current: () => SimulatedCase): Generator<SimulatedCase> {
  const decisions = () => current().decisions ?? [];
  for (let size = decisions().length; size >= 1; size = Math.floor(size / 2))
    for (let start = 0; start < decisions().length; start += size) {
      const isInRange = (n: number) => n >= start && n < start + size;
      if (decisions().some((value, n) => isInRange(n) && value !== 0))
        yield { ...current(), decisions: decisions().map((value, n) => (isInRange(n) ? 0 : value)) };
    }
}

/** Searches for the smallest case that still breaks one of the same invariants. */
export async function shrink(
  simulator: Simulator,
  simulatedCase: SimulatedCase,
  print: (text: string) => void,
): Promise<SimulatedCase> {
  const first = await simulator.runCase(simulatedCase);
  const wantedKinds = new Set(first.problems.map(kindOf));
  let [smallest, steps, runs] = [simulatedCase, first.steps, 0];
  const accept = async (candidate: SimulatedCase): Promise<boolean> => {
    runs++;
    const result = await simulator.runCase(candidate).catch(() => undefined);
    if (!result?.problems.some((problem) => wantedKinds.has(kindOf(problem)))) return false;
    smallest = { ...candidate, decisions: trimZeros(result.decisions) };
    steps = result.steps;
    return true;
  };
  for (let isSmaller = true; isSmaller && runs < MAX_RUNS;) {
    isSmaller = false;
    for (const candidates of [smallerCases, plainerCases])
      for (const candidate of candidates(() => smallest)) {
        if (runs >= MAX_RUNS) break;
        if (await accept(candidate)) isSmaller = true;
      }
  }
  print(`shrunk from ${first.steps} to ${steps} steps in ${runs} runs`);
  return smallest;
}

/** Removes zeros from the end, because missing decisions count as 0. */
function trimZeros(decisions: number[]): number[] {
  let end = decisions.length;
  while (end > 0 && decisions[end - 1] === 0) end--;
  return decisions.slice(0, end);
}
