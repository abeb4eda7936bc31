import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { clearTimeout, setTimeout } from 'node:timers';
import { areaOf } from './areas.mjs';

const AT_ONCE = 2;
/** Longer than the slowest pass of one area's tests: a mutant that takes more never ends. */
const PATIENCE_MS = 300_000;

/** One PostgreSQL and one built shop serve all runs. Mutants live in Jest's own process, never in that shop. */
async function startShared(root) {
  const child = fork(join(root, '__tests__/support/runSource.mjs'), [join(root, '__tests__/support/sharedShop.ts')], {
    cwd: root,
    execArgv: [],
  });
  const ready = await Promise.race([
    once(child, 'message').then(([env]) => env),
    once(child, 'exit').then(() => Promise.reject(new Error('The database for the tests did not start.'))),
  ]);
  const stop = async () => {
    child.send('stop');
    await once(child, 'exit');
  };
  return { env: ready, stop };
}

const testFilesOf = (root, { project }, prefixes) =>
  readdirSync(join(root, '__tests__', project))
    .filter((name) => /\.test\.tsx?$/.test(name) && prefixes.some((prefix) => name.startsWith(prefix)))
    .map((name) => join(root, '__tests__', project, name));

/** @returns whether all of these tests passed */
async function passes(root, { project }, files, env) {
  if (files.length === 0) return true;
  const args = [join(root, 'node_modules/jest/bin/jest.js'), `--selectProjects=${project}`, '--bail=1', '--runInBand'];
  const child = spawn(process.execPath, [...args, '--forceExit', '--silent', '--runTestsByPath', ...files], {
    cwd: root,
    stdio: 'ignore',
    env: { ...process.env, NODE_ENV: 'test', ...env },
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
  const [code] = await once(child, 'exit');
  clearTimeout(timer);
  return code === 0;
}

const planted = (root, { file, start, end, text }) => ({
  MUTANT: JSON.stringify({ file: join(root, file), start, end, text }),
});

/** The tests named like the file first, then those of its area, then its neighbors. */
async function isCaught(root, mutant, env) {
  const area = areaOf(mutant.file);
  const own = basename(mutant.file).replace(/\.tsx?$/, '.');
  const seen = new Set();
  for (const prefixes of [[own], area.close, area.wide]) {
    const files = testFilesOf(root, area, prefixes).filter((file) => !seen.has(file));
    files.forEach((file) => seen.add(file));
    if (!(await passes(root, area, files, { ...env, ...planted(root, mutant) }))) return true;
  }
  return false;
}

/** Tests that fail without a mutant would catch everything: they must pass with one that changes nothing. */
async function requireGreen(root, mutants, env) {
  for (const area of new Set(mutants.map(({ file }) => areaOf(file)))) {
    const nothing = planted(root, { file: mutants[0].file, start: 0, end: 0, text: '' });
    if (!(await passes(root, area, testFilesOf(root, area, [...area.close, ...area.wide]), { ...env, ...nothing })))
      throw new Error(`The tests of "${area.name}" fail without any mutant: run them first.`);
  }
}

/** @returns the mutants that no test noticed */
export async function runMutants(root, mutants, print) {
  const { env, stop } = await startShared(root);
  const survivors = [];
  let next = 0;
  async function work() {
    for (let index = next++; index < mutants.length; index = next++) {
      const mutant = mutants[index];
      const caught = await isCaught(root, mutant, env);
      if (!caught) survivors.push(mutant);
      const { file, line, mutator } = mutant;
      print(`${index + 1}/${mutants.length} ${caught ? 'caught  ' : 'survived'} ${file}:${line} ${mutator}`);
    }
  }
  try {
    await requireGreen(root, mutants, env);
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  } finally {
    await stop();
  }
  return survivors.sort((a, b) => a.file.localeCompare(b.file) || a.start - b.start);
}
