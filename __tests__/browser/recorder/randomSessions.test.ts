import { newVisitor, browserFixture } from '../../support/browser';
import { shopOrigin } from '../../support/api';
import { newEmail } from '../../support/customers';
import { signInAsNewUser, waitUntilInteractive } from '../../support/session';
import { createPrivateText, createRandom } from '../../pages/recorder/recordRandomSession';
import { performRandomActions } from './randomActions';
import { findReplayDifference, saveSession, waitUntilRecording } from './savedSession';

const fixture = browserFixture();
const SESSION_COUNT = Number(process.env['SESSIONS'] ?? 1);
const FIRST_SEED = Number(process.env['SEED'] ?? 1);
const ACTION_COUNT = Number(process.env['ACTIONS'] ?? 12);
jest.setTimeout(300_000);

/**
 * Performs random actions as a new customer.
 * @returns the saved session, and the personal texts that it must not contain
 */
async function saveRandomSession(seed: number) {
  const { context, page } = await newVisitor(fixture.browser, shopOrigin());
  const random = createRandom(seed);
  const typed: string[] = [];
  const newText = () => typed[typed.push(createPrivateText(seed, typed.length)) - 1]!;
  const email = await signInAsNewUser(page, newEmail(`zz${seed}`));
  await page.goto(random(2) ? '/' : '/dashboard/myorder');
  await waitUntilInteractive(page);
  await waitUntilRecording(page);
  await performRandomActions({ context, page, random, newText }, ACTION_COUNT);
  await waitUntilRecording(page);
  const saved = await saveSession(page);
  await context.close();
  return { ...saved, personal: [email, ...typed] };
}

test.each(Array.from({ length: SESSION_COUNT }, (_, index) => FIRST_SEED + index))(
  'a saved session of random actions contains no personal text, and its replay has the recorded states and pages (seed %i)',
  async (seed) => {
    const { file, text, steps, personal } = await saveRandomSession(seed);
    expect(steps.length).toBeGreaterThan(0);
    expect(personal.filter((value) => text.includes(value))).toEqual([]);
    expect(await findReplayDifference(fixture.browser, file)).toBeUndefined();
  },
);
