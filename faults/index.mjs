import { parseArgs } from 'node:util';
import { buildIfStale } from '../scripts/build.mjs';
import { cleanUp, cleanUpOnSignal } from './lib/ending.mjs';
import { makeReport } from './lib/report.mjs';
import { PARTS } from './parts.mjs';
import { end, installShop } from '../scripts/install.mjs';

const USAGE = `Usage: npm run faults -- [PART…] [--short] [--seed N] [--times N]\nParts: ${Object.keys(PARTS).join(' ')}`;

function given() {
  try {
    const options = { short: { type: 'boolean' }, seed: { type: 'string' }, times: { type: 'string' } };
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    const unknown = positionals.filter((name) => !Object.hasOwn(PARTS, name));
    if (unknown.length === 0) return { ...values, parts: positionals.length > 0 ? positionals : Object.keys(PARTS) };
  } catch {
    // What is wrong with it is said below.
  }
  return end(USAGE, 2);
}

const { parts, short = false, seed = String(Date.now() % 1_000_000), times } = given();
await installShop();
await buildIfStale();
cleanUpOnSignal();

const report = makeReport();
/** How many times: in full, in short, or as said on the command line. */
const size = (full, brief) => (times ? Number(times) : short ? brief : full);
report.note(`seed ${seed}${short ? ', short' : ''}`);
for (const name of parts) {
  report.begin(name);
  try {
    await PARTS[name]({ report, size, short, seed });
  } catch (error) {
    report.line('ran to its end', error.stack ?? String(error), 'yes', false);
  }
  await cleanUp();
}
process.exit(report.end());
