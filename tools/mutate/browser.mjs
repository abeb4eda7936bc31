import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** The folders of browser tests that concern a source. The first entry that matches it counts. */
const FOLDERS = [
  [/^src\/(session|features\/auth|app)\//, ['auth']],
  [/^src\/features\/payment\//, ['payment', 'site/captivePortal']],
  [/^src\/features\/(admin|orders|catalog)\//, ['$1']],
  [/^src\/contract\/identity/, ['auth']],
  [/^src\/contract\//, ['catalog', 'admin']],
  [/^src\/(forms|ui)\//, ['orders', 'admin', 'auth']],
  [/^src\/api\//, ['orders', 'auth', 'admin/dashboard', 'site/offline', 'site/slowResponses']],
];

/** @returns the browser tests for a source, as the beginnings of their paths, or undefined if there are none */
export function browserTestsFor(file) {
  const [pattern, names] = FOLDERS.find(([source]) => source.test(file)) ?? [];
  return names?.map((name) => `__tests__/browser/${name.replace('$1', pattern.exec(file)[1])}`);
}

/**
 * Copies the project, because browser tests use the built shop: a mutant is written into the sources of the copy, which
 * is then built.
 */
function copyProject(root) {
  const copy = join(root, '.cache/mutate/project');
  rmSync(copy, { recursive: true, force: true });
  const { stdout } = spawnSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' });
  for (const file of stdout.split('\0').filter((name) => name && existsSync(join(root, name)))) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(root, file), join(copy, file));
  }
  for (const folder of ['node_modules', '__tests__/node_modules']) symlinkSync(join(root, folder), join(copy, folder));
  return copy;
}

/** With `--bail`, Jest writes no report of a run in which a test failed, so the failure is read from its output. */
async function runBrowserTests(copy, tests) {
  const args = ['scripts/test.mjs', 'browser', '--bail', ...tests];
  const child = spawn(process.execPath, args, { cwd: copy, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(chunk));
  const [code] = await once(child, 'exit');
  if (code === 0) return { passed: true };
  const text = stripVTControlCharacters(Buffer.concat(output).toString());
  const [, name] = /^FAIL browser (\S+)/m.exec(text) ?? [];
  if (!name) return { passed: false, name: 'npm run build', title: '', message: 'It fails.' };
  const [, title = ''] = /^ {2}● (.*)/m.exec(text) ?? [];
  return { passed: false, name, title, message: '' };
}

/** @returns a function that runs a mutant in browser tests, which must pass without it */
export function openBrowserRuns(root) {
  const copy = copyProject(root);
  return async (mutant) => {
    const path = join(copy, mutant.file);
    const { source, start, end, text } = mutant;
    writeFileSync(path, source.slice(0, start) + text + source.slice(end));
    try {
      return await runBrowserTests(copy, browserTestsFor(mutant.file));
    } finally {
      writeFileSync(path, source);
    }
  };
}
