import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { buildIfStale, hasBuild } from './build.mjs';
import { ensureChromium } from './chromium.mjs';
import { installAll, root } from './install.mjs';

await installAll();

const PROJECTS = ['tooling', 'embedded', 'server', 'pages', 'browser'];
/** `npm test -- server` runs one Jest project. All other arguments go to Jest. `verify` runs only if it is named. */
const [first, ...rest] = process.argv.slice(2);
const project = [...PROJECTS, 'verify'].find((name) => name === first);
const jestArgs = project ? rest : process.argv.slice(2);
const needsBrowser = project === undefined || ['browser', 'verify'].includes(project);

/**
 * One file of these folders tests the sources: the servers that it starts run from them, too. Only the chunks of the
 * last build are used, so an edit needs no build.
 */
const paths = jestArgs.filter((arg) => !arg.startsWith('-'));
const runsFromSource =
  paths.length === 1 &&
  (['embedded', 'server', 'pages'].includes(project) || /\b(embedded|__tests__\/(server|pages))\//.test(paths[0])) &&
  hasBuild();
if (!runsFromSource) await buildIfStale();
const CHROMIUM = needsBrowser && !runsFromSource ? ensureChromium() : undefined;

const args = [join(root, 'node_modules/jest/bin/jest.js'), ...jestArgs];
if (runsFromSource) args.push('--runInBand');
if (!jestArgs.includes('--selectProjects')) args.push('--selectProjects', ...(project ? [project] : PROJECTS));
const { status } = spawnSync(process.execPath, args, {
  cwd: root,
  stdio: 'inherit',
  env: {
    ...process.env,
    NODE_ENV: 'test',
    ...(CHROMIUM && { CHROMIUM }),
    ...(runsFromSource && { SERVER_PROGRAM: 'source' }),
  },
});
process.exit(status ?? 1);
