import type { Browser } from 'playwright-core';
import { connectToBrowser } from '../../support/browser';
import { startCardPage } from './cardPage';
import { expectEventually } from '../../support/wait';
import { CARDS } from '../../support/cards';

let sandbox: Awaited<ReturnType<typeof startCardPage>>;
let browser: Browser;
beforeAll(async () => {
  [sandbox, browser] = await Promise.all([startCardPage(), connectToBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await sandbox.close();
});

const NOT_AUTHENTICATED =
  'payment_intent_authentication_failure: We are unable to authenticate your payment method. ' +
  'Please choose a different payment method and try again.';

// Clauses C.10.7, C.10.8
test.each([
  [CARDS.pays, 'paid: succeeded', 'succeeded'],
  [CARDS.declined, 'card_declined: Your card was declined.', 'requires_payment_method'],
  [CARDS.mistyped, 'not confirmed: Your card number is invalid.', 'requires_payment_method'],
  ['', 'not confirmed: Your card number is incomplete.', 'requires_payment_method'],
])(
  'with the sandbox, Stripe’s React components report the expected result for the card number %p, which is in no HTML or URL',
  async (number, result, status) => {
    const { page, fill, pay, readResult, readIntentStatus, problems } = await sandbox.openCardPage(browser);
    const urls: string[] = [];
    page.on('request', (request) => urls.push(request.url()));
    await fill(number);
    await pay();
    expect(await readResult()).toBe(result);
    expect(await readIntentStatus()).toBe(status);
    expect(problems).toEqual([]);
    if (number) expect((await page.content()).replace(/\s/g, '')).not.toContain(number);
    expect(urls.join('\n')).not.toMatch(/4242424242424242|_secret_/);
    await page.context().close();
  },
);

describe('a card that requires authentication', () => {
  async function openChallenge() {
    const cardPage = await sandbox.openCardPage(browser);
    await cardPage.fill(CARDS.authenticationRequired);
    await cardPage.pay();
    const challenge = cardPage.page.frameLocator('dialog iframe');
    await challenge.getByText('$2,400.00').waitFor();
    expect(await cardPage.readIntentStatus()).toBe('requires_action');
    return { ...cardPage, challenge };
  }

  test('is charged after successful authentication', async () => {
    const { page, challenge, readResult, readIntentStatus, problems } = await openChallenge();
    await challenge.getByRole('button', { name: 'Complete' }).click();
    expect([await readResult(), await readIntentStatus(), problems]).toEqual(['paid: succeeded', 'succeeded', []]);
    await page.context().close();
  });

  test('is not charged if authentication fails, or is ended by Cancel, Escape or Back', async () => {
    const { page, challenge, pay, readResult, readIntentStatus } = await openChallenge();
    for (const way of ['Fail', 'Cancel', 'Escape', 'Back']) {
      if (way !== 'Fail') await pay();
      await challenge.getByText('$2,400.00').waitFor();
      if (way === 'Escape') await page.keyboard.press('Escape');
      else if (way === 'Back') await page.evaluate(() => dispatchEvent(new PopStateEvent('popstate')));
      else await challenge.getByRole('button', { name: way }).click();
      expect([way, await readResult(), await readIntentStatus()]).toEqual([
        way,
        NOT_AUTHENTICATED,
        'requires_payment_method',
      ]);
      await page.locator('dialog').waitFor({ state: 'detached' });
    }
    await page.context().close();
  });
});

test('on a phone all card fields are on one line, 44 pixels high, and the form can be used by keyboard', async () => {
  const { page, card, readResult } = await sandbox.openCardPage(browser, { width: 360 });
  await page.locator('button:enabled', { hasText: 'PAY' }).waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.type(CARDS.pays);
  await page.keyboard.type('1234');
  await page.keyboard.type('123');
  const boxes = await Promise.all(
    ['cardnumber', 'exp-date', 'cvc'].map((name) => card.locator(`[name=${name}]`).boundingBox()),
  );
  expect(boxes.map((box) => [box?.height, box?.y])).toEqual(boxes.map(() => [44, boxes[0]?.y]));
  expect(Math.max(...boxes.map((box) => (box?.x ?? 0) + (box?.width ?? 0)))).toBeLessThanOrEqual(360);
  await page.keyboard.press('Enter');
  expect(await readResult()).toBe('paid: succeeded');
  await page.context().close();
});

test('an incomplete or invalid card field shows its error in the page’s colors', async () => {
  const { page, card } = await sandbox.openCardPage(browser, { query: '&postal&color=%23eceef0' });
  const [number, expiry] = [card.locator('[name=cardnumber]'), card.locator('[name=exp-date]')];
  const waitForProblem = (text: string) => page.locator('#problem').filter({ hasText: text }).waitFor();
  const colorOf = (field: typeof number) => field.evaluate((input) => getComputedStyle(input).color);
  await number.pressSequentially('4242');
  await expectEventually(() => colorOf(number), 'rgb(236, 238, 240)');
  await expiry.focus();
  await waitForProblem('Your card number is incomplete.');
  const readColorAndValidity = async () => [await colorOf(number), await number.getAttribute('aria-invalid')];
  await expectEventually(readColorAndValidity, ['rgb(179, 38, 30)', 'true']);
  await number.fill(CARDS.pays);
  await expiry.fill('01 / 20');
  await waitForProblem("Your card's expiration year is in the past.");
  await expiry.fill('13');
  await waitForProblem("Your card's expiration date is invalid.");
  await expiry.fill('12 / 34');
  await card.locator('[name=cvc]').fill('123');
  await card.locator('[name=postal]').fill('94107');
  await waitForProblem('complete');
  await page.context().close();
});
