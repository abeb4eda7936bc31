import { clearTimeout, setTimeout } from 'node:timers';
import { parseArgs } from 'node:util';
import { buildIfStale } from '../../scripts/build.mjs';
import { exitWithMessage, installAll } from '../../scripts/install.mjs';
import { describeMachine, stopAll } from './machine.mjs';
import { printLine, storeResult } from './report.mjs';

/** The names of files in this folder, each of which exports `title`, `columns` and `measure`. */
const PARTS = ['reads', 'orders', 'start', 'growth', 'adminOrders', 'pages', 'lighthouse', 'interaction', 'way'];
const MAX_MINUTES_PER_PART = 10;

const { positionals: chosenParts, values: options } = parseArgs({
  allowPositionals: true,
  options: { shop: { type: 'string' }, selectors: { type: 'string' } },
});
const unknownPart = chosenParts.find((name) => !PARTS.includes(name));
if (unknownPart) exitWithMessage(`There is no part "${unknownPart}". Choose from: ${PARTS.join(', ')}.`);
await installAll();
await buildIfStale();

for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => stopAll().then(() => process.exit(1)));
let missedTargets = 0;
try {
  process.stdout.write(`${await describeMachine()}\n`);
  for (const name of PARTS.filter((part) => chosenParts.length === 0 || chosenParts.includes(part)))
    missedTargets += await runPart(name);
} finally {
  await stopAll();
}
process.exit(missedTargets > 0 ? 1 : 0);

/**
 * Prints each line as soon as it is measured, and stores all lines.
 * @returns the number of lines that missed their target
 */
async function runPart(name) {
  const { title, columns, measure } = await import(`./${name}.mjs`);
  const timeout = setTimeout(
    () =>
      void stopAll().then(() =>
        exitWithMessage(`The part "${name}" did not finish within ${MAX_MINUTES_PER_PART} minutes.`),
      ),
    MAX_MINUTES_PER_PART * 60_000,
  );
  process.stdout.write(`\n${title}\n`);
  const lines = [];
  for await (const line of measure(options)) {
    lines.push(line);
    printLine(columns, line);
  }
  clearTimeout(timeout);
  storeResult(name, { title, columns, lines, machine: await describeMachine() });
  return lines.filter(({ ok }) => ok === false).length;
}
