import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { installAll, requireNode, root } from './install.mjs';

requireNode();
installAll();

const bin = (path) => join(root, 'node_modules', path);
const STEPS = [
  ['types', bin('typescript/bin/tsc'), '--noEmit', '-p', root],
  ['lint', bin('eslint/bin/eslint.js'), '--max-warnings=0', '.'],
  ['format', bin('prettier/bin/prettier.cjs'), '--check', '--log-level=warn', '.'],
];

const failed = STEPS.filter(([name, ...args]) => {
  process.stderr.write(`${name}…\n`);
  return spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status !== 0;
});
if (failed.length > 0) {
  process.stderr.write(`Not good: ${failed.map(([name]) => name).join(', ')}.\n`);
  process.exit(1);
}
