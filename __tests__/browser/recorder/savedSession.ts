import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import type { Browser, Page } from 'playwright-core';
import { describeRecordedAction } from '../../../src/app/describeRecordedAction';
import { replaySession, type Step } from '../../../src/app/replay/replaySession';
import type { SessionFile } from '../../../src/recorder/sessionFile';
import { waitUntil } from '../../support/wait';

type FindReplayDifference = (browser: Browser, session: SessionFile) => Promise<string | undefined>;

export const reportDialog = (page: Page) => page.getByRole('dialog', { name: 'Save what happened' });

export interface SavedSession {
  text: string;
  file: SessionFile;
  steps: Step[];
  /** A description of each step's action. */
  events: string[];
}

/** Opens the dialog by the event that the “Save what happened” buttons dispatch, and downloads the file. */
export async function saveSession(page: Page): Promise<SavedSession> {
  await page.evaluate(() => window.dispatchEvent(new Event('report-requested')));
  const save = reportDialog(page).getByRole('button', { name: 'Save file' }).and(page.locator(':enabled'));
  const [download] = await Promise.all([page.waitForEvent('download'), save.click()]);
  const text = await readText(await download.createReadStream());
  const file = JSON.parse(text) as SessionFile;
  const steps = replaySession(file);
  return { text, file, steps, events: steps.map(({ action }) => describeRecordedAction(action)) };
}

export async function findReplayDifference(browser: Browser, file: SessionFile): Promise<string | undefined> {
  const program = join(__dirname, '../../../scripts/replay/checkSession.mjs');
  const check = (await import(program)) as { findReplayDifference: FindReplayDifference };
  return check.findReplayDifference(browser, file);
}

/** Makes the home page throw an error after a link to it, because a review has no name. */
export const answerWithBrokenReview = (page: Page) =>
  page.route('**/review', (route) =>
    route.request().resourceType() === 'fetch'
      ? route.fulfill({ json: [{ _id: 'a', name: null, description: 'Fine', ratings: 5, img: '/a.png' }] })
      : route.fallback(),
  );

/** Waits until the recorder has read the current page. */
export const waitUntilPageRecorded = (page: Page) => page.waitForTimeout(PAGE_READ_MS);
/** Longer than the recorder waits: until nothing has changed for half a second and the browser is idle. */
const PAGE_READ_MS = 1500;

/** Waits until the recorder's chunk has loaded, because pages shown before that are not recorded. */
export const waitUntilRecording = (page: Page) =>
  waitUntil(() =>
    page.evaluate(() => performance.getEntriesByType('resource').some(({ name }) => name.includes('/recorder.'))),
  );
