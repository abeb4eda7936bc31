import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { installAll, root } from './install.mjs';

await installAll();

const bin = (path) => join(root, 'node_modules', path);
const STEPS = [
  ['types', bin('typescript/bin/tsc'), '--noEmit', '-p', root],
  ['lint', bin('eslint/bin/eslint.js'), '--max-warnings=0', '.'],
  ['format', bin('prettier/bin/prettier.cjs'), '--check', '--log-level=warn', '.'],
];

/** All at once, on as many cores as there are; what one has to say comes when it is done. */
function done([name, ...args]) {
  const run = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  const said = [];
  for (const stream of [run.stdout, run.stderr]) stream.on('data', (text) => said.push(text));
  return new Promise((resolve) =>
    run.on('close', (code) => {
      process.stderr.write(`${name}: ${code === 0 ? 'good' : 'not good'}\n${Buffer.concat(said)}`);
      resolve(code === 0);
    }),
  );
}

const all = await Promise.all(STEPS.map(done));
process.exit(all.every(Boolean) ? 0 : 1);
