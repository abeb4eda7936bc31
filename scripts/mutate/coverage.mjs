import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { runTests } from './jest.mjs';
import { makeInstrument, sourcesOf } from './mutants.mjs';

/** Far longer than any one test file takes. */
const PATIENCE_MS = 1_800_000;
/** What a change of may change the coverage of every test. */
const COMMON = [
  '__tests__/support',
  '__tests__/package.json',
  'jest.config.ts',
  'scripts/mutate/ignoreLogMessages.mjs',
];

const hashOf = (text) => createHash('sha256').update(text).digest('hex');
const readText = (root, file) => (existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : '');

function commonHash(root) {
  const files = COMMON.flatMap((place) =>
    place.includes('.')
      ? [place]
      : readdirSync(join(root, place), { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map(({ parentPath, name }) => relative(root, join(parentPath, name)))
          .sort(),
  );
  return hashOf(files.map((file) => readText(root, file)).join('\n'));
}

/** Changes when the test, what it shares with others, or a source that it ran changes. */
function keyOf(root, common, name, hits) {
  const sources = [...new Set(hits.map((hit) => hit.split(':')[0]))].sort();
  const texts = [name, ...sources].map((file) => `${file} ${hashOf(readText(root, file))}`);
  return hashOf([common, ...texts].join('\n'));
}

/** Counters of all files share one table: each gets its file's name. */
const withNames = (text, file) =>
  text.replace(
    /stryCov_9fa48\(([^)]*)\)/g,
    (_call, ids) => `stryCov_9fa48(${ids.replaceAll(/"(\d+)"/g, `"${file}:$1"`)})`,
  );

async function writeCounted(root, folder) {
  rmSync(folder, { recursive: true, force: true });
  const instrument = await makeInstrument(root);
  for (const file of sourcesOf(root, ['server', 'embedded', 'src'])) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), withNames((await instrument(file)).counted, file));
  }
}

/**
 * Finds out which mutants each of these test files reaches and how long it takes, without any mutant. Known results
 * are read from the cache.
 * @returns by test file: passed, ms, hits
 */
export async function measureCoverage(root, names, env, print) {
  const cache = join(root, '.cache/mutate');
  const common = commonHash(root);
  const reportOf = (name) => join(cache, 'reports', `${name}.json`);
  const read = (name) => existsSync(reportOf(name)) && JSON.parse(readFileSync(reportOf(name), 'utf8'));
  const isFresh = (name) => {
    const report = read(name);
    return report && report.passed && report.key === keyOf(root, common, name, report.hits);
  };

  const stale = names.filter((name) => !isFresh(name));
  if (stale.length > 0) {
    print(`measuring what ${stale.length} test files reach`);
    stale.forEach((name) => rmSync(reportOf(name), { force: true }));
    const counted = join(cache, 'counted');
    await writeCounted(root, counted);
    const tests = stale.map((name) => ({ name }));
    const mutant = { counted, report: join(cache, 'reports') };
    /** A pass that is interrupted keeps what it has measured. */
    const onEnd = (name) => {
      const report = read(name);
      const key = report && keyOf(root, common, name, report.hits);
      if (report) writeFileSync(reportOf(name), JSON.stringify({ ...report, key }));
      print(`measured: ${name}`);
    };
    await runTests(root, tests, { env, mutant, args: ['--maxWorkers=2'], patience: () => PATIENCE_MS, onEnd });
    for (const name of stale) if (!read(name)?.passed) print(`left out: ${name} fails without any mutant`);
  }
  const known = names.map((name) => [name, read(name)]).filter(([, report]) => report && report.passed);
  return new Map(known.map(([name, { ms, hits }]) => [name, { ms, hits: new Set(hits) }]));
}
