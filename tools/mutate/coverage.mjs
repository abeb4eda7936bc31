import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { runTests } from './jest.mjs';
import { createInstrumenter, listSources } from './mutants.mjs';

const TIMEOUT_MS = 1_800_000;
/** A change to one of these may change the coverage of every test. */
const SHARED_INPUTS = [
  '__tests__/support',
  '__tests__/package.json',
  'jest.config.ts',
  'tools/mutate/ignoreLabels.mjs',
];

const hashOf = (text) => createHash('sha256').update(text).digest('hex');
const readText = (root, file) => (existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : '');

function hashSharedInputs(root) {
  const files = SHARED_INPUTS.flatMap((path) =>
    path.includes('.')
      ? [path]
      : readdirSync(join(root, path), { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map(({ parentPath, name }) => relative(root, join(parentPath, name)))
          .sort(),
  );
  return hashOf(files.map((file) => readText(root, file)).join('\n'));
}

/** The key depends on the test, the shared inputs and every source that the test has run. */
function cacheKeyOf(root, sharedHash, name, hits) {
  const sources = [...new Set(hits.map((hit) => hit.split(':')[0]))].sort();
  const texts = [name, ...sources].map((file) => `${file} ${hashOf(readText(root, file))}`);
  return hashOf([sharedHash, ...texts].join('\n'));
}

/** Prefixes each counter's id with its file, because the counters of all files share one table. */
const addFileNames = (text, file) =>
  text.replace(
    /stryCov_9fa48\(([^)]*)\)/g,
    (_call, ids) => `stryCov_9fa48(${ids.replaceAll(/"(\d+)"/g, `"${file}:$1"`)})`,
  );

async function writeInstrumented(root, folder) {
  rmSync(folder, { recursive: true, force: true });
  const instrument = await createInstrumenter(root);
  for (const file of listSources(root, ['server', 'embedded', 'src'])) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), addFileNames((await instrument(file)).instrumented, file));
  }
}

/**
 * Runs each test file without a mutant to measure which mutants it reaches and how long it takes. Known results are
 * read from the cache.
 * @returns a map from test file to `ms` and `hits`
 */
export async function measureCoverage(root, names, env, print) {
  const cache = join(root, '.cache/mutate');
  const sharedHash = hashSharedInputs(root);
  const reportOf = (name) => join(cache, 'reports', `${name}.json`);
  const readReport = (name) => existsSync(reportOf(name)) && JSON.parse(readFileSync(reportOf(name), 'utf8'));
  const isFresh = (name) => {
    const report = readReport(name);
    return report && report.passed && report.key === cacheKeyOf(root, sharedHash, name, report.hits);
  };

  const unmeasured = names.filter((name) => !isFresh(name));
  if (unmeasured.length > 0) {
    print(`measuring the coverage of ${unmeasured.length} test files`);
    unmeasured.forEach((name) => rmSync(reportOf(name), { force: true }));
    const instrumentedFolder = join(cache, 'counted');
    await writeInstrumented(root, instrumentedFolder);
    const tests = unmeasured.map((name) => ({ name }));
    const mutant = { counted: instrumentedFolder, report: join(cache, 'reports') };
    /** Stores each result at once, so that an interrupted run keeps it. */
    const onEnd = (name) => {
      const report = readReport(name);
      const key = report && cacheKeyOf(root, sharedHash, name, report.hits);
      if (report) writeFileSync(reportOf(name), JSON.stringify({ ...report, key }));
      print(`measured: ${name}`);
    };
    await runTests(root, tests, { env, mutant, args: ['--maxWorkers=2'], timeoutFor: () => TIMEOUT_MS, onEnd });
    for (const name of unmeasured) if (!readReport(name)?.passed) print(`skipped: ${name} fails without a mutant`);
  }
  const known = names.map((name) => [name, readReport(name)]).filter(([, report]) => report && report.passed);
  return new Map(known.map(([name, { ms, hits }]) => [name, { ms, hits: new Set(hits) }]));
}
