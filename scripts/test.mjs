import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { buildIfStale } from './build.mjs';
import { ensureChromium } from './chromium.mjs';
import { installAll, root } from './install.mjs';

await installAll();
await buildIfStale();

/** `npm test -- server` runs one part; what else is given goes to jest. */
const [first, ...rest] = process.argv.slice(2);
const part = ['tooling', 'embedded', 'server', 'pages', 'browser'].includes(first) ? first : undefined;
const given = part ? rest : process.argv.slice(2);
const CHROMIUM = part === undefined || part === 'browser' ? ensureChromium() : undefined;

const args = [join(root, 'node_modules/jest/bin/jest.js'), '--maxWorkers=2', ...given];
if (part) args.push(`--selectProjects=${part}`);
const { status } = spawnSync(process.execPath, args, {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, NODE_ENV: 'test', ...(CHROMIUM && { CHROMIUM }) },
});
process.exit(status ?? 1);
