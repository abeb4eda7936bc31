import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { installAll, root } from './install.mjs';

await installAll();

const bin = (path) => join(root, 'node_modules', path);
const cache = (name) => join(root, '.cache/check', name);
/**
 * Caching per file is safe. The only ESLint rule that reads other files forbids import cycles, and a new cycle always
 * involves a file that has just changed, which is linted again.
 */
const cacheOptions = (name) => ['--cache', '--cache-strategy=content', `--cache-location=${cache(name)}`];
const STEPS = [
  ['types', bin('typescript/bin/tsc'), '--noEmit', '--incremental', '--tsBuildInfoFile', cache('types'), '-p', root],
  ['lint', bin('eslint/bin/eslint.js'), '--max-warnings=0', ...cacheOptions('lint'), '.'],
  ['format', bin('prettier/bin/prettier.cjs'), '--check', '--log-level=warn', ...cacheOptions('format'), '.'],
];

/** All steps run in parallel. The output of each is printed when it ends, so that the outputs do not interleave. */
function runStep([name, ...args]) {
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => output.push(text));
  return new Promise((resolve) =>
    child.on('close', (code) => {
      process.stderr.write(`${name}: ${code === 0 ? 'passed' : 'failed'}\n${Buffer.concat(output)}`);
      resolve(code === 0);
    }),
  );
}

const results = await Promise.all(STEPS.map(runStep));
process.exit(results.every(Boolean) ? 0 : 1);
