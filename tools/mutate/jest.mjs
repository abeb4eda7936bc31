import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { clearTimeout, setTimeout } from 'node:timers';
import { shortTestName } from '../lib/testTitles.mjs';

/**
 * Starts one PostgreSQL and one built shop for all runs. That shop has no mutants: they exist only in Jest's own
 * process.
 */
export async function startSharedServices(root) {
  const child = fork(
    join(root, '__tests__/support/programs/runSource.mjs'),
    [join(root, '__tests__/support/jest/sharedShop.ts')],
    {
      cwd: root,
      execArgv: [],
    },
  );
  const env = await Promise.race([
    once(child, 'message').then(([message]) => message),
    once(child, 'exit').then(() => Promise.reject(new Error('The database for the tests did not start.'))),
  ]);
  const stop = async () => {
    child.send('stop');
    await once(child, 'exit');
  };
  return { env, stop };
}

const TIMED_OUT = 'The test file did not end in time.';
const TIMEOUTS = [TIMED_OUT, 'Exceeded timeout of', 'not true after'];
/** A timeout proves less than a failed assertion, because a busy machine can cause it too. */
export const isTimeout = ({ message }) => TIMEOUTS.some((text) => message.includes(text));

/** Kills Jest and the processes that its tests started. */
function killGroup({ pid }) {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

/**
 * Runs these test files, given by their paths in the project, in this order. A file that takes longer than its
 * `timeoutFor` in milliseconds fails. `onEnd` is called with the name of each file when it ends.
 * @returns `passed`, and for a failure the `name` of the file with `title` and `message` of the test that failed
 */
export async function runTests(root, tests, { env, mutant, args, timeoutFor, onEnd = () => undefined }) {
  const paths = tests.map(({ name }) => join(root, name));
  const projects = [...new Set(tests.map(({ name }) => shortTestName(name).split('/')[0]))];
  const jest = [join(root, 'node_modules/jest/bin/jest.js'), '--selectProjects', ...projects];
  const child = spawn(process.execPath, [...jest, ...args, '--forceExit', '--silent', '--runTestsByPath', ...paths], {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    env: { ...process.env, ...env, NODE_ENV: 'test', MUTANT: JSON.stringify(mutant) },
  });
  let timer;
  let failure = { name: undefined, title: '', message: 'Jest exited' };
  const restartTimer = (next) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      failure = { name: next.name, title: '', message: TIMED_OUT };
      killGroup(child);
    }, timeoutFor(next));
  };
  restartTimer(tests[0]);
  child.on('message', ({ path, title, message }) => {
    const index = paths.indexOf(path);
    const { name } = tests[index];
    if (message !== undefined) failure = { name, title, message };
    else onEnd(name);
    restartTimer(tests[index + 1] ?? tests.at(-1));
  });
  const [code] = await once(child, 'exit');
  clearTimeout(timer);
  killGroup(child);
  return code === 0 ? { passed: true } : { passed: false, ...failure };
}
