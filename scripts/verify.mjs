import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { cleanUp, cleanUpOnSignal } from '../tools/faults/lib/cleanUp.mjs';
import { findBinFolder, NEEDS_SYSTEM_POSTGRES, startSystemPostgres } from '../tools/faults/lib/systemPostgres.mjs';
import { exitWithMessage, installAll, root } from './install.mjs';

/** Runs a script of this project. @returns whether it succeeded */
async function run(env, script, ...args) {
  const child = spawn(process.execPath, [join(root, script), ...args], {
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  const [code] = await once(child, 'exit');
  return code === 0;
}

const runTests = (env, ...args) => run(env, 'scripts/test.mjs', ...args);
const runVerifyTests = (folder) => runTests({}, 'verify', `__tests__/verify/${folder}/`);

/** Tests that start databases of their own, and so do not use the one in DATABASE_URL. */
const OWN_DATABASE = '(operations/startup|embedded/postgres/tests/postgres)\\.test';

async function runOnSystemPostgres() {
  if (!findBinFolder()) exitWithMessage(`The part "postgres" cannot run: ${NEEDS_SYSTEM_POSTGRES}.`);
  const { url: DATABASE_URL } = await startSystemPostgres();
  const args = ['--selectProjects', 'server', 'embedded', `--testPathIgnorePatterns=${OWN_DATABASE}`];
  return (await runTests({ DATABASE_URL }, ...args)) && simulateFreshSeeds({ DATABASE_URL });
}

const simulateFreshSeeds = (env) =>
  run(
    env,
    'tools/simulate/index.mjs',
    '--minutes',
    '5',
    '--twice',
    '3',
    '--from',
    String(Math.floor(Date.now() / 1000)),
  );

const PARTS = {
  postgres: runOnSystemPostgres,
  seeds: () => simulateFreshSeeds({}),
  planted: () => run({}, 'tools/simulate/index.mjs', '--planted', '--minutes', '3'),
  sequences: () => runTests({ ALL_SEQUENCES: 'true' }, 'server', 'payments/event'),
  caches: () => runTests({ CACHE_WALKS: '60' }, 'pages', 'cacheWalk'),
  displays: () => runTests({ ALL_DISPLAYS: 'true' }, 'browser', '[aA]ccessib'),
  emulator: () => runVerifyTests('emulator'),
  proxies: () => runVerifyTests('proxies'),
  speed: () => runVerifyTests('speed'),
  faults: () => run({}, 'tools/faults/index.mjs'),
  bench: () => run({}, 'tools/bench/index.mjs'),
  advisories: () => run({}, 'tools/supply.mjs'),
  clauses: () => run({}, 'tools/clauses.mjs'),
};

const names = process.argv.slice(2);
const unknownName = names.find((name) => !Object.hasOwn(PARTS, name));
if (unknownName)
  exitWithMessage(`There is no part "${unknownName}". Choose from: ${Object.keys(PARTS).join(', ')}.`, 2);
await installAll();
cleanUpOnSignal();

const lines = [];
let failures = 0;
for (const name of names.length > 0 ? names : Object.keys(PARTS)) {
  const startedAt = Date.now();
  const passed = await PARTS[name]();
  await cleanUp();
  if (!passed) failures++;
  lines.push(`${passed ? 'passed' : 'FAILED'} ${name} ${Math.round((Date.now() - startedAt) / 1000)} s`);
}
process.stdout.write(`\n${lines.join('\n')}\n`);
process.exit(failures > 0 ? 1 : 0);
