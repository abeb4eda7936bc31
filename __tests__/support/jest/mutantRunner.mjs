import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import circusModule from 'jest-circus/runner';

/** Node wraps the default export of a CommonJS package once more than Jest's loader does. */
const circus = circusModule.default ?? circusModule;

const { report } = JSON.parse(process.env.MUTANT ?? '{}');

/** Exits at the first failure, which is enough to kill a mutant. The exit also closes whatever is still open. */
function endAtFirstFailure(environment) {
  const handleTestEvent = environment.handleTestEvent?.bind(environment);
  environment.handleTestEvent = async (event, state) => {
    await handleTestEvent?.(event, state);
    if (event.name === 'test_done' && event.test.errors.length > 0) process.exit(1);
  };
}

function writeReport(path, passed, ms, global) {
  mkdirSync(dirname(path), { recursive: true });
  const hits = Object.keys(global.__stryker__?.mutantCoverage?.static ?? {});
  writeFileSync(path, JSON.stringify({ passed, ms, hits }));
}

/** Runs a test file as Jest does. Reports which mutants it reaches, or exits at its first failure. */
export default async function runWithMutants(globalConfig, config, environment, runtime, path, ...rest) {
  const { global } = environment;
  const started = Date.now();
  if (!report) endAtFirstFailure(environment);
  const result = await circus(globalConfig, config, environment, runtime, path, ...rest).catch((error) => {
    if (!report) process.exit(1);
    throw error;
  });
  const passed = result.numFailingTests === 0 && !result.testExecError && !result.failureMessage;
  const name = relative(config.rootDir, path);
  if (report) writeReport(join(report, `${name}.json`), passed, Date.now() - started, global);
  else if (!passed) process.exit(1);
  process.send?.(path);
  return result;
}
