import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { buildIfStale } from './build.mjs';
import { ensureChromium } from './chromium.mjs';
import { installAll, root } from './install.mjs';

await installAll();
await buildIfStale();

/** `npm test -- server` runs one Jest project. All other arguments go to Jest. */
const [first, ...rest] = process.argv.slice(2);
const project = ['tooling', 'embedded', 'server', 'pages', 'browser'].includes(first) ? first : undefined;
const jestArgs = project ? rest : process.argv.slice(2);
const CHROMIUM = project === undefined || project === 'browser' ? ensureChromium() : undefined;

const args = [join(root, 'node_modules/jest/bin/jest.js'), ...jestArgs];
if (project) args.push(`--selectProjects=${project}`);
const { status } = spawnSync(process.execPath, args, {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, NODE_ENV: 'test', ...(CHROMIUM && { CHROMIUM }) },
});
process.exit(status ?? 1);
