import type { Browser } from 'playwright-core';
import { connectToBrowser } from '../../support/browser';
import { startCardPage } from './cardPage';
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
