import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { buildIfStale } from './build.mjs';
import { ensureChromium } from './chromium.mjs';
import { installAll, root } from './install.mjs';

await installAll();
await buildIfStale();

const PROJECTS = ['tooling', 'embedded', 'server', 'pages', 'browser'];
/** `npm test -- server` runs one Jest project. All other arguments go to Jest. `verify` runs only if it is named. */
const [first, ...rest] = process.argv.slice(2);
const project = [...PROJECTS, 'verify'].find((name) => name === first);
const jestArgs = project ? rest : process.argv.slice(2);
const needsBrowser = project === undefined || ['browser', 'verify'].includes(project);
const CHROMIUM = needsBrowser ? ensureChromium() : undefined;

const args = [join(root, 'node_modules/jest/bin/jest.js'), ...jestArgs];
if (!jestArgs.includes('--selectProjects')) args.push('--selectProjects', ...(project ? [project] : PROJECTS));
const { status } = spawnSync(process.execPath, args, {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, NODE_ENV: 'test', ...(CHROMIUM && { CHROMIUM }) },
});
process.exit(status ?? 1);
