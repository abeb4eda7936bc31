import { crowdSince } from './machine.mjs';

const BUSY = 1.2;
const print = (line) => process.stdout.write(`${line}\n`);

/** One line a fault: what, the figure, what was wanted, and whether it is so. */
export function makeReport() {
  const began = performance.now();
  const failed = [];
  let part = '';
  let crowd = crowdSince();

  function line(what, figure, target, ok) {
    if (!ok) failed.push(`${part}: ${what}`);
    print(`  ${ok ? 'ok    ' : 'FAILED'} ${what}: ${figure} (wanted: ${target})`);
  }
  return {
    note: (text) => print(`  ${text}`),
    begin(name) {
      part = name;
      crowd = crowdSince();
      print(`${name} (${Math.round((performance.now() - began) / 1000)} s)`);
    },
    line,
    /** Times in milliseconds, none longer than wanted; on a machine that others use too, than wanted times their share. */
    times(what, times, wanted, show = spread(times)) {
      const factor = crowd();
      const shared = factor > BUSY ? `, times ${factor.toFixed(1)} on a machine this busy` : '';
      line(what, show, `${seconds(wanted)}${shared}`, Math.max(0, ...times) <= wanted * factor);
    },
    /** What must not happen on a machine of one's own, and one time in a thousand on a busy one. */
    rarely(what, count, of) {
      const most = crowd() > BUSY ? Math.floor(of / 1000) : 0;
      line(what, count, most === 0 ? '0' : `${most} at most on a machine this busy`, count <= most);
    },
    end() {
      const minutes = ((performance.now() - began) / 60_000).toFixed(1);
      if (failed.length === 0) print(`All of it holds (${minutes} minutes).`);
      else print(`FAILED after ${minutes} minutes:\n  ${failed.join('\n  ')}`);
      return failed.length === 0 ? 0 : 1;
    },
  };
}

export function quantile(numbers, q) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted.length === 0 ? 0 : sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))];
}

export const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;
export const spread = (numbers) => `p50 ${seconds(quantile(numbers, 0.5))}, worst ${seconds(Math.max(0, ...numbers))}`;
export const none = (list) => (list.length === 0 ? '0' : `${list.length}: ${list.slice(0, 3).join('; ')}`);
