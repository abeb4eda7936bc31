import { measureCpuContention } from './measureCpuContention.mjs';

const BUSY_FACTOR = 1.2;
const print = (line) => process.stdout.write(`${line}\n`);

/** Prints one line per check, and remembers the failed ones. */
export function createReport() {
  const startedAt = performance.now();
  const failed = [];
  let scenarioName = '';
  let contentionFactor = measureCpuContention();

  function check(label, value, target, passed) {
    if (!passed) failed.push(`${scenarioName}: ${label}`);
    print(`  ${passed ? 'ok    ' : 'FAILED'} ${label}: ${value} (expected: ${target})`);
  }
  return {
    note: (text) => print(`  ${text}`),
    begin(name) {
      scenarioName = name;
      contentionFactor = measureCpuContention();
      print(`${name} (${Math.round((performance.now() - startedAt) / 1000)} s)`);
    },
    check,
    /** Checks that no time in milliseconds exceeds the limit. The limit grows when other processes use the CPU. */
    checkTimes(label, times, limit, shown = formatSpread(times)) {
      const factor = contentionFactor();
      const busyNote = factor > BUSY_FACTOR ? `, times ${factor.toFixed(1)} because the machine is busy` : '';
      check(label, shown, `${formatSeconds(limit)}${busyNote}`, Math.max(0, ...times) <= limit * factor);
    },
    /** Checks that something never happens, or at most once in a thousand cases on a busy machine. */
    checkRare(label, count, total) {
      const allowed = contentionFactor() > BUSY_FACTOR ? Math.floor(total / 1000) : 0;
      check(label, count, allowed === 0 ? '0' : `at most ${allowed}, because the machine is busy`, count <= allowed);
    },
    /** @returns the exit code: 1 if a check has failed */
    end() {
      const minutes = ((performance.now() - startedAt) / 60_000).toFixed(1);
      if (failed.length === 0) print(`All checks passed (${minutes} minutes).`);
      else print(`FAILED after ${minutes} minutes:\n  ${failed.join('\n  ')}`);
      return failed.length === 0 ? 0 : 1;
    },
  };
}

export function quantile(numbers, fraction) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted.length === 0 ? 0 : sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))];
}

export const formatSeconds = (ms) => `${(ms / 1000).toFixed(1)} s`;
export const formatSpread = (numbers) =>
  `p50 ${formatSeconds(quantile(numbers, 0.5))}, worst ${formatSeconds(Math.max(0, ...numbers))}`;
export const formatList = (list) => (list.length === 0 ? '0' : `${list.length}: ${list.slice(0, 3).join('; ')}`);
