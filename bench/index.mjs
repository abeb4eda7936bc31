import { clearTimeout, setTimeout } from 'node:timers';
import { buildIfStale } from '../scripts/build.mjs';
import { end, installAll } from '../scripts/install.mjs';
import { machineLine, stopAll } from './machine.mjs';
import { print, store } from './report.mjs';

/** Each is a file beside this one, which says its `title`, its `columns` and how to `measure`. */
const PARTS = ['reads', 'orders', 'start', 'growth', 'pages', 'lighthouse', 'interaction'];
const MINUTES_A_PART = 10;

const chosen = process.argv.slice(2);
const unknown = chosen.find((name) => !PARTS.includes(name));
if (unknown) end(`There is no part "${unknown}": npm run bench -- ${PARTS.join(' | ')}`);
await installAll();
await buildIfStale();

for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => stopAll().then(() => process.exit(1)));
let missed = 0;
try {
  process.stdout.write(`${await machineLine()}\n`);
  for (const name of PARTS.filter((part) => chosen.length === 0 || chosen.includes(part))) missed += await run(name);
} finally {
  await stopAll();
}
process.exit(missed > 0 ? 1 : 0);

/**
 * Prints each line as it is measured, and stores them all.
 * @returns how many missed their target
 */
async function run(name) {
  const { title, columns, measure } = await import(`./${name}.mjs`);
  const late = setTimeout(() => void stopAll().then(() => end(`${title}: not done in time.`)), MINUTES_A_PART * 60_000);
  process.stdout.write(`\n${title}\n`);
  const lines = [];
  for await (const line of measure()) {
    lines.push(line);
    print(columns, line);
  }
  clearTimeout(late);
  store(name, { title, columns, lines, machine: await machineLine() });
  return lines.filter(({ ok }) => ok === false).length;
}
