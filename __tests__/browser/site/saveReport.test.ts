import { spawn } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { problemsOnAnyDisplay } from '../../support/assertions';
import { allowError, browserFixture, CHUNK_LOAD_ERROR, fill, storedToken } from '../../support/browser';
import { CARDS } from '../../support/cards';
import { payWith, placeOrder } from '../../support/checkout';
import { PASSWORD } from '../../support/customers';
import { nav, signInAsNewUser, waitUntilInteractive } from '../../support/session';
import type { SessionFile } from '../../../src/recorder/format';
import { describeAction } from '../../../src/app/replay/describeAction';
import { replaySession } from '../../../src/app/replay/replaySession';

const fixture = browserFixture();
const footer = () => fixture.page.getByRole('contentinfo');
const dialog = () => fixture.page.getByRole('dialog', { name: 'Save what happened' });
const saveButton = () => dialog().getByRole('button', { name: 'Save file' });

async function openDialog(within = footer()) {
  await within.getByRole('button', { name: 'Save what happened' }).click();
  await dialog()
    .getByRole('link', { name: /^Look inside first/ })
    .waitFor();
}

async function saveReport() {
  await openDialog();
  const [download] = await Promise.all([fixture.page.waitForEvent('download'), saveButton().click()]);
  expect(download.suggestedFilename()).toBe('forgeline-session.json');
  const text = await readText(await download.createReadStream());
  return { text, steps: replaySession(JSON.parse(text) as SessionFile) };
}

/** Runs `npm run replay -- FILE --check`. */
async function checkReport(text: string) {
  const file = join(mkdtempSync(join(tmpdir(), 'forgeline-replay-')), 'session.json');
  writeFileSync(file, text);
  const child = spawn(process.execPath, [join(__dirname, '../../../scripts/replay.mjs'), file, '--check']);
  const exit = new Promise((resolve) => child.on('close', resolve));
  const [output, errors] = await Promise.all([readText(child.stdout), readText(child.stderr)]);
  return { code: await exit, output: output.trim(), errors: errors.trim() };
}
/** Long, because a check waits at each step until the page no longer changes. */
jest.setTimeout(180_000);
const SAME = { code: 0, output: 'Each step ends in the recorded state and shows the same page.', errors: '' };

test('the dialog opens and closes by keyboard, is accessible and fits every display', async () => {
  const { page } = fixture;
  await page.goto('/about', { waitUntil: 'networkidle' });
  await openDialog();
  expect(await problemsOnAnyDisplay(page, 'save what happened', 'dialog[open]')).toEqual([]);
  await page.keyboard.press('Escape');
  await dialog().waitFor({ state: 'hidden' });
  await page.keyboard.press('Enter');
  await dialog().waitFor();
});

test('a customer can look into the file before saving it', async () => {
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

test('a saved session with an order and a declined card replays, and contains no secret or personal data', async () => {
  const { page } = fixture;
  const email = await signInAsNewUser(page);
  const order = await placeOrder(page);
  const token = (await storedToken(page))!;
  await page.goto(`/dashboard/payment/${order._id}`);
  const [intent] = await Promise.all([
    page.waitForResponse('**/create-payment-intent*'),
    payWith(page, CARDS.declined),
  ]);
  const { clientSecret } = (await intent.json()) as { clientSecret: string };
  await page.getByRole('main').getByRole('alert').first().waitFor();
  await nav(page).getByRole('link', { name: 'Dashboard' }).first().click();
  await fill(page, { Address: '77 Zanzibar Quay', Phone: '+1 777 888 9990' });

  const { text, steps } = await saveReport();
  expect(steps.length).toBeGreaterThan(5);
  expect(steps.filter(({ isSame }) => !isSame)).toEqual([]);
  const secrets = [email, token, clientSecret, PASSWORD, CARDS.declined, 'Ann Lee', order.address, '77 Zanzibar'];
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
  expect(steps.map(({ action }) => describeAction(action))).toContain('createPaymentIntent succeeded');
  expect(await checkReport(text)).toEqual(SAME);
  const hash = /\\"state\\":\\"\w{8}/;
  const changed = text.replace(hash, '\\"state\\":\\"00000000').replace(/main\.\w+/, 'main.0000');
  expect(await checkReport(changed)).toEqual({
    code: 1,
    output: expect.stringMatching(/^Step 1 \(\S+\) ends in a different state\.$/) as string,
    errors: 'Build main.0000 recorded this session. This build is different, so pages may look different.',
  });
});

test('a page whose chunk does not load offers to save the session, which names the chunk', async () => {
  const { page, visitor } = fixture;
  await page.goto('/about', { waitUntil: 'networkidle' });
  await waitUntilInteractive(page);
  await page.route('**/assets/blog.*.js', (route) => route.abort());
  await nav(page).getByRole('link', { name: 'Blogs' }).click();
  const error = page.getByRole('main').getByRole('alert');
  await error.getByRole('button', { name: 'Save what happened' }).waitFor();
  const { text, steps } = await saveReport();
  const [failure] = steps.filter(({ action }) => action.type === 'page/chunkFailed');
  expect(failure!.action).toMatchObject({ recorded: { path: '/blogs' } });
  expect(await checkReport(text)).toEqual(SAME);
  allowError(visitor, CHUNK_LOAD_ERROR);
});
