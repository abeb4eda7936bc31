import { readFileSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { join, sep } from 'node:path';
import { parseArgs } from 'node:util';
import { buildIfStale } from '../../scripts/build.mjs';
import { exitWithMessage, installShop, installTestTools, root } from '../../scripts/install.mjs';
import { createRandom } from '../lib/seededRandom.mjs';
import { plant } from './plant.mjs';
import { PLANTED_BUGS } from './plantedBugs.mjs';

const USAGE = `Usage: npm run tool -- simulate --seed N
       npm run tool -- simulate --seeds COUNT [--from N] [--minutes M] [--no-shrink] [--twice COUNT]
       npm run tool -- simulate --case FILE
       npm run tool -- simulate --planted [NAME…] [--from N] [--minutes M] [--case FILE]`;

function readArguments() {
  const text = { type: 'string' };
  const options = { seed: text, seeds: text, from: text, minutes: text, case: text, twice: text };
  const flags = { planted: { type: 'boolean' }, 'no-shrink': { type: 'boolean' } };
  try {
    const { values, positionals } = parseArgs({ options: { ...options, ...flags }, allowPositionals: true });
    const numbers = ['seed', 'seeds', 'from', 'minutes', 'twice'].filter((name) => values[name] !== undefined);
    const isValid = numbers.every((name) => Number(values[name]) >= 0);
    if (isValid && (numbers.length > 0 || values.case || values.planted)) return { ...values, names: positionals };
  } catch {
    // Arguments that `parseArgs` rejects also print the usage message.
  }
  return exitWithMessage(USAGE, 2);
}

const commandLine = readArguments();
await installShop();
await installTestTools();
await buildIfStale();

const require = createRequire(import.meta.url);
const { transformSync } = createRequire(join(root, '__tests__/package.json'))('@swc/core');
const compilerOptions = {
  jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
  module: { type: 'commonjs' },
  swcrc: false,
};
const compiled = new Map();
let planted;

function compile(filename) {
  const file = filename.slice(root.length + 1).replaceAll(sep, '/');
  const source = readFileSync(filename, 'utf8');
  const text = planted?.file === file ? plant(source, planted) : source;
  if (!compiled.has(text)) compiled.set(text, transformSync(text, { ...compilerOptions, filename }).code);
  return compiled.get(text);
}
Module._extensions['.ts'] = (module, filename) => module._compile(compile(filename), filename);

/**
 * Loads the shop and the simulator again, with the bug if there is one. Three files stay loaded: `simulatedRuntime`,
 * because it can replace Node's functions only once, `startDatabaseServer`, because it runs once, and `frozenSessions`,
 * because it wakes what it froze.
 */
function loadSimulator(bug) {
  planted = bug;
  const isLoadedAgain = (file) =>
    file.endsWith('.ts') && !/simulate.(simulatedRuntime|startDatabaseServer|frozenSessions)\.ts$/.test(file);
  Object.keys(require.cache)
    .filter(isLoadedAgain)
    .forEach((file) => Reflect.deleteProperty(require.cache, file));
  return { ...require('./simulator.ts'), ...require('./commands.ts') };
}

const toNumber = (text) => (text === undefined ? undefined : Number(text));
const options = {
  seed: toNumber(commandLine.seed),
  seeds: toNumber(commandLine.seeds),
  from: toNumber(commandLine.from) ?? 1,
  minutes: toNumber(commandLine.minutes),
  caseFile: commandLine.case,
  shrinks: !commandLine['no-shrink'],
  twice: toNumber(commandLine.twice),
};

/** Plants one bug after another, and runs seeds until one finds it or the time is up. */
async function runPlanted(connection) {
  const bugs = PLANTED_BUGS.filter(({ name }) => commandLine.names.length === 0 || commandLine.names.includes(name));
  const minutes = options.minutes ?? 5;
  for (const bug of bugs) plant(readFileSync(join(root, bug.file), 'utf8'), bug);
  let missed = 0;
  for (const bug of bugs) {
    const { openSimulator, findFailure } = loadSimulator(bug);
    const simulator = await openSimulator(connection, createRandom);
    const found = await findFailure(simulator, { ...options, minutes });
    await simulator.close();
    if (!found) missed++;
    const result = found ? `seed ${found.seed}, ${found.seconds.toFixed(1)} s: ${found.problem}` : 'not found';
    process.stdout.write(`${bug.name}: ${result}\n`);
  }
  process.stdout.write(`${bugs.length - missed} of ${bugs.length} planted bugs found\n`);
  return missed > 0 ? 1 : 0;
}

async function runSimulator(connection) {
  const { createDatabase, openSimulator, runSingleCase, runSeeds } = loadSimulator();
  await createDatabase(connection, createRandom);
  if (commandLine.planted) return runPlanted(connection);
  const simulator = await openSimulator(connection, createRandom);
  const isOne = options.seed !== undefined || options.caseFile !== undefined;
  try {
    return await (isOne ? runSingleCase(simulator, options) : runSeeds(simulator, options));
  } finally {
    await simulator.close();
  }
}

const { startDatabaseServer } = require('./startDatabaseServer.ts');
const databaseServer = await startDatabaseServer(process.env);
const restoreRuntime = require('./simulatedRuntime.ts').installSimulatedRuntime();
require('./compileOnce.ts').compileOnce();
let code = 1;
try {
  code = await runSimulator(databaseServer.connection);
} catch (error) {
  process.stderr.write(`The simulator failed: ${error.stack}\n`);
} finally {
  await require('./database.ts').dropDatabase(databaseServer.connection);
  restoreRuntime();
  await databaseServer.stop();
}
process.exit(code);
