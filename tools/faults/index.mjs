import { parseArgs } from 'node:util';
import { buildIfStale } from '../../scripts/build.mjs';
import { cleanUp, cleanUpOnSignal } from './lib/cleanUp.mjs';
import { createReport } from './lib/report.mjs';
import { SCENARIOS } from './scenarios.mjs';
import { exitWithMessage, installShop } from '../../scripts/install.mjs';

const USAGE = `Usage: npm run tool -- faults [SCENARIO…] [--short] [--seed N] [--times N]\nScenarios: ${Object.keys(SCENARIOS).join(' ')}`;

function readArguments() {
  try {
    const options = { short: { type: 'boolean' }, seed: { type: 'string' }, times: { type: 'string' } };
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    const unknown = positionals.filter((name) => !Object.hasOwn(SCENARIOS, name));
    if (unknown.length === 0)
      return { ...values, names: positionals.length > 0 ? positionals : Object.keys(SCENARIOS) };
  } catch {
    // Arguments that `parseArgs` rejects also print the usage message.
  }
  return exitWithMessage(USAGE, 2);
}

const { names, short = false, seed = String(Date.now() % 1_000_000), times } = readArguments();
await installShop();
await buildIfStale();
cleanUpOnSignal();

const report = createReport();
/** @returns the repetitions or the duration: the value of `--times`, or otherwise the one for a full or a short run */
const chooseSize = (full, reduced) => (times ? Number(times) : short ? reduced : full);
report.note(`seed ${seed}${short ? ', short' : ''}`);
for (const name of names) {
  report.begin(name);
  try {
    await SCENARIOS[name]({ report, chooseSize, short, seed });
  } catch (error) {
    report.check('error that ended this scenario', error.stack ?? String(error), 'none', false);
  }
  await cleanUp();
}
process.exit(report.end());
