import { existsSync, readFileSync } from 'node:fs';
import { buildIfStale } from './build.mjs';
import { launchChromium } from './chromium.mjs';
import { exitWithMessage, installShop, installTestTools } from './install.mjs';
import { findReplayDifference } from './replay/checkSession.mjs';
import { listFailures, listSteps } from './replay/listSteps.mjs';
import { readManifest, serveSession } from './replay/serveSession.mjs';

const USAGE = `Usage: npm run replay -- FILE           shows a saved session in the browser
       npm run replay -- FILE --list    prints its steps
       npm run replay -- FILE --check   replays it in a browser without a window and compares states and pages`;

/** @returns the saved session, with a `notice` if another build recorded it */
function readSession(path) {
  if (!existsSync(path)) exitWithMessage(`There is no file ${path}.`);
  let session;
  try {
    session = JSON.parse(readFileSync(path, 'utf8'));
    if (session.format !== 1 || JSON.parse(session.payload).length === 0) throw new Error('not a saved session');
  } catch {
    exitWithMessage(`${path} is not a saved session with at least one step.`);
  }
  const isThisBuild = readManifest().all.includes(`${session.build}.js`);
  return {
    ...session,
    ...(!isThisBuild && {
      notice: `Build ${session.build} recorded this session. This build is different, so pages may look different.`,
    }),
  };
}

async function findDifference(session) {
  const browser = await launchChromium();
  try {
    return await findReplayDifference(browser, session);
  } finally {
    await browser.close();
  }
}

/** A replay without a difference shows what went wrong again, so the failures are listed. */
function resultOf(session) {
  const failures = listFailures(session).map((failure) => `\nThe customer met a failure at ${failure}.`);
  return `Each step ends in the recorded state, and ${session.pages.length} recorded pages are the same.${failures.join('')}`;
}

const args = process.argv.slice(2);
const [path] = args.filter((arg) => !arg.startsWith('--'));
const isCheck = args.includes('--check');
const isList = args.includes('--list');
if (!path) exitWithMessage(USAGE);
await installShop();
if (isCheck) await installTestTools();
await buildIfStale();
const session = readSession(path);
if (session.notice) process.stderr.write(`${session.notice}\n`);
if (isList) {
  process.stdout.write(`${listSteps(session).join('\n')}\n`);
} else if (isCheck) {
  const difference = await findDifference(session);
  process.stdout.write(`${difference ?? resultOf(session)}\n`);
  process.exitCode = difference ? 1 : 0;
} else {
  const { origin } = await serveSession(session);
  process.stdout.write(`The session is open at ${origin}. Press Ctrl-C to stop.\n`);
}
