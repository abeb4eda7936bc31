import { existsSync, readFileSync } from 'node:fs';

const SCHEDSTAT_FILE = '/proc/self/schedstat';

/**
 * Reads how long this process has run and how long it has waited for a CPU.
 * @returns two numbers in nanoseconds
 */
function readSchedule() {
  if (!existsSync(SCHEDSTAT_FILE)) return [1, 0];
  return readFileSync(SCHEDSTAT_FILE, 'utf8').split(' ').map(Number);
}

/**
 * Measures how much longer work takes because other processes use the CPUs. Limits in seconds assume an idle machine,
 * so they are multiplied by this factor.
 * @returns a function that returns the factor for the time since this call
 */
export function measureCpuContention() {
  const [runBefore, waitBefore] = readSchedule();
  return () => {
    const [runNow, waitNow] = readSchedule();
    const [running, waiting] = [runNow - runBefore, waitNow - waitBefore];
    return running > 0 ? Math.max(1, (running + waiting) / running) : 1;
  };
}
