import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { findDisplayProblems } from '../../support/assertions';
import { allowError, browserFixture, fill, storedToken } from '../../support/browser';
import { CARDS } from '../../support/cards';
import { payWithCard, placeOrder } from '../../support/checkout';
import { PASSWORD } from '../../support/customers';
import { nav, signInAsNewUser, waitUntilInteractive } from '../../support/session';
import {
  answerWithBrokenReview,
  reportDialog,
  saveSession,
  waitUntilPageRecorded,
  waitUntilRecording,
} from './savedSession';

const fixture = browserFixture();
const footer = () => fixture.page.getByRole('contentinfo');
const dialog = () => reportDialog(fixture.page);

async function openDialog(within = footer()) {
  await within.getByRole('button', { name: 'Save what happened' }).click();
  await dialog()
    .getByRole('link', { name: /^Look inside first/ })
    .waitFor();
}

/** Runs `npm run replay -- FILE` with the flag. */
async function runReplay(flag: '--check' | '--list', text: string) {
  const file = join(mkdtempSync(join(tmpdir(), 'forgeline-replay-')), 'session.json');
  writeFileSync(file, text);
  const child = spawn(process.execPath, [join(__dirname, '../../../scripts/replay.mjs'), file, flag]);
  const exit = new Promise((resolve) => child.on('close', resolve));
  const [output, errors] = await Promise.all([readText(child.stdout), readText(child.stderr)]);
  return { code: await exit, output: output.trim(), errors: errors.trim() };
}
/** Long, because `--check` waits at each step until the page no longer changes. */
jest.setTimeout(180_000);

test('the dialog for saving a session can be opened and closed by keyboard, is accessible and fits every display', async () => {
  const { page } = fixture;
  await page.goto('/about', { waitUntil: 'networkidle' });
  await openDialog();
  expect(await findDisplayProblems(page, 'save what happened', 'dialog[open]')).toEqual([]);
  await page.keyboard.press('Escape');
  await dialog().waitFor({ state: 'hidden' });
  await page.keyboard.press('Enter');
  await dialog().waitFor();
});

test('a customer can read the session file before saving it', async () => {
  const { page } = fixture;
  await page.goto('/about', { waitUntil: 'networkidle' });
  await openDialog();
  const [tab] = await Promise.all([
    page.waitForEvent('popup'),
    dialog()
      .getByRole('link', { name: /^Look inside first/ })
      .click(),
  ]);
  await tab.getByText('The last 30 minutes of one Forgeline tab').waitFor();
});

test('a saved session with an order and a declined card can be replayed, and contains no secret or personal data', async () => {
  const { page } = fixture;
  const email = await signInAsNewUser(page);
  const order = await placeOrder(page);
  const token = (await storedToken(page))!;
  await page.goto(`/dashboard/payment/${order._id}`);
  const [intent] = await Promise.all([
    page.waitForResponse('**/create-payment-intent*'),
    payWithCard(page, CARDS.declined),
  ]);
  const { clientSecret } = (await intent.json()) as { clientSecret: string };
  await page.getByRole('main').getByRole('alert').first().waitFor();
  await nav(page).getByRole('link', { name: 'Dashboard' }).first().click();
  await fill(page, { Address: '77 Zanzibar Quay', Phone: '+1 777 888 9990' });

  await waitUntilPageRecorded(page);
  const { text, steps, events } = await saveSession(page);
  expect(steps.length).toBeGreaterThan(5);
  expect(steps.filter(({ isSame }) => !isSame)).toEqual([]);
  const secrets = [email, token, clientSecret, PASSWORD, CARDS.declined, 'Ann Lee', order.address, '77 Zanzibar'];
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
  expect(events).toContain('createPaymentIntent succeeded');
  const refused = events.indexOf('payment/refused card_declined') + 1;
  const failure = `The customer met a failure at step ${refused}: payment/refused card_declined.`;
  const { output, ...rest } = await runReplay('--check', text);
  expect(rest).toEqual({ code: 0, errors: '' });
  const [result, ...failures] = output.split('\n');
  expect(result).toMatch(/^Each step ends in the recorded state, and \d+ recorded pages are the same\.$/);
  expect(failures).toEqual([failure]);
  const hash = /\\"state\\":\\"\w{8}/;
  const changed = text.replace(hash, '\\"state\\":\\"00000000').replace(/main\.\w+/, 'main.0000');
  expect(await runReplay('--check', changed)).toEqual({
    code: 1,
    output: expect.stringMatching(/^Step 1 \(\S+\) ends in a different state than the recorded one\.$/) as string,
    errors: 'Build main.0000 recorded this session. This build is different, so pages may look different.',
  });
});

test('the steps of a saved session can be listed, with the place in the source where a page threw', async () => {
  const { page, visitor } = fixture;
  await answerWithBrokenReview(page);
  await page.goto('/about');
  await waitUntilInteractive(page);
  await waitUntilRecording(page);
  await nav(page).getByRole('link', { name: 'Home' }).first().click();
  await page.getByRole('main').getByRole('alert').getByRole('button', { name: 'Save what happened' }).waitFor();
  const { text, steps } = await saveSession(page);
  const { code, output, errors } = await runReplay('--list', text);
  const lines = output.split('\n');
  expect([code, errors, lines.length]).toEqual([0, '', steps.length]);
  const [, file, line] = /^! +\d+ +[\d.]+ {2}\/ {2}page\/threw TypeError {2}(src\/\S+\.tsx?):(\d+)/m.exec(output)!;
  expect(readFileSync(join(__dirname, '../../..', file!), 'utf8').split('\n')[Number(line) - 1]).toMatch(/\bname\b/);
  expect(output).toMatch(/^ +\d+ +[\d.]+ {2}\/\S* {2}listReviews succeeded {2}\[\{"_id":/m);
  allowError(visitor, /TypeError|Cannot read|React error #520/);
});
