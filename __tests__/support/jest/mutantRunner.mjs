import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import circusModule from 'jest-circus/runner';

/** Node's loader wraps the default export of a CommonJS package one more time than Jest's loader does. */
const circus = circusModule.default ?? circusModule;

/** The folder for reports about coverage, in a run that measures it without a mutant. */
const { report: reportFolder } = JSON.parse(process.env.MUTANT ?? '{}');

/** Reports the failure and exits, which is enough to kill a mutant. The exit also closes whatever is still open. */
async function exitWith(path, title, error) {
  const message = String(error?.message ?? error);
  await new Promise((resolve) => (process.send ? process.send({ path, title, message }, resolve) : resolve()));
  process.exit(1);
}

const titleOf = ({ name, parent }) => (parent?.parent ? `${titleOf(parent)} ${name}` : name);

function exitAtFirstFailure(environment, path) {
  const handleTestEvent = environment.handleTestEvent?.bind(environment);
  environment.handleTestEvent = async (event, state) => {
    await handleTestEvent?.(event, state);
    const [error] = (event.name === 'test_done' && event.test.errors) || [];
    if (error) await exitWith(path, titleOf(event.test), [error].flat()[0]);
  };
}

function writeReport(path, passed, ms, global) {
  mkdirSync(dirname(path), { recursive: true });
  const hits = Object.keys(global.__stryker__?.mutantCoverage?.static ?? {});
  writeFileSync(path, JSON.stringify({ passed, ms, hits }));
}

/** Runs a test file as Jest does. Reports which mutants it reaches, or, with a mutant, exits at its first failure. */
export default async function runWithMutants(globalConfig, config, environment, runtime, path, ...rest) {
  const { global } = environment;
  const started = Date.now();
  if (!reportFolder) exitAtFirstFailure(environment, path);
  const result = await circus(globalConfig, config, environment, runtime, path, ...rest).catch(async (error) => {
    if (!reportFolder) await exitWith(path, '', error);
    throw error;
  });
  const passed = result.numFailingTests === 0 && !result.testExecError && !result.failureMessage;
  const name = relative(config.rootDir, path);
  if (reportFolder) writeReport(join(reportFolder, `${name}.json`), passed, Date.now() - started, global);
  else if (!passed) await exitWith(path, '', result.testExecError ?? result.failureMessage);
  return result;
}
