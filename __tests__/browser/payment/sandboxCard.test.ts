import type { Browser } from 'playwright-core';
import { openBrowser } from '../../support/browser';
import { startCardPage } from './cardPage';
import { expectEventually } from '../../support/wait';
import { CARDS } from '../../support/cards';

let shop: Awaited<ReturnType<typeof startCardPage>>;
let browser: Browser;
beforeAll(async () => {
  [shop, browser] = await Promise.all([startCardPage(), openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await shop.close();
});

const NOT_AUTHENTICATED =
  'payment_intent_authentication_failure: We are unable to authenticate your payment method. Please choose a different payment method and try again.';

// Clauses C.10.7, C.10.8
test.each([
  [CARDS.pays, 'paid: succeeded', 'succeeded'],
  [CARDS.declined, 'card_declined: Your card was declined.', 'requires_payment_method'],
  [CARDS.insufficientFunds, 'card_declined: Your card has insufficient funds.', 'requires_payment_method'],
  [CARDS.expired, 'expired_card: Your card has expired.', 'requires_payment_method'],
  [CARDS.wrongCvc, "incorrect_cvc: Your card's security code is incorrect.", 'requires_payment_method'],
  [CARDS.live, /^not confirmed: .* used a non test card/, 'requires_payment_method'],
  [CARDS.mistyped, 'not confirmed: Your card number is invalid.', 'requires_payment_method'],
  ['', 'not confirmed: Your card number is incomplete.', 'requires_payment_method'],
])('with Stripe’s own components the card %p ends as on Stripe', async (number, sentence, status) => {
  const { page, fill, pay, said, troubles, ...intent } = await shop.open(browser);
  await fill(number);
  await pay();
  expect(await said()).toEqual(typeof sentence === 'string' ? sentence : expect.stringMatching(sentence));
  expect(await intent.status()).toBe(status);
  expect(troubles).toEqual([]);
  await page.context().close();
});

describe('a card that asks for authentication', () => {
  async function challenged() {
    const opened = await shop.open(browser);
    await opened.fill(CARDS.asks);
    await opened.pay();
    const challenge = opened.page.frameLocator('dialog iframe');
    await challenge.getByText('$2,400.00').waitFor();
    expect(await opened.status()).toBe('requires_action');
    return { ...opened, challenge };
  }

  test('pays when it is passed', async () => {
    const { page, challenge, said, status, troubles } = await challenged();
    await challenge.getByRole('button', { name: 'Complete' }).click();
    expect([await said(), await status(), troubles]).toEqual(['paid: succeeded', 'succeeded', []]);
    await page.context().close();
  });

  test('does not pay when it is failed, cancelled, closed by Escape or left by Back', async () => {
    for (const way of ['Fail', 'Cancel', 'Escape', 'Back']) {
      const { page, challenge, said, status } = await challenged();
      if (way === 'Escape') await page.keyboard.press('Escape');
      else if (way === 'Back') await page.evaluate(() => dispatchEvent(new PopStateEvent('popstate')));
      else await challenge.getByRole('button', { name: way }).click();
      expect([way, await said(), await status()]).toEqual([way, NOT_AUTHENTICATED, 'requires_payment_method']);
      await page.locator('dialog').waitFor({ state: 'detached' });
      await page.context().close();
    }
  });

  test('after a failure, another card pays', async () => {
    const { page, challenge, said, fill, pay } = await challenged();
    await challenge.getByRole('button', { name: 'Fail' }).click();
    await said();
    await fill(CARDS.pays);
    await pay();
    await page.getByText('paid: succeeded').waitFor();
    await page.context().close();
  });
});

test('by keyboard alone, on a phone: Tab, the card, Enter; all fields on one line of 44 pixels', async () => {
  const { page, card, said } = await shop.open(browser, { width: 360 });
  await card.locator('[name=cardnumber]:enabled').waitFor();
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
  expect(await said()).toBe('paid: succeeded');
  await page.context().close();
});

test('typing keeps its form and its place', async () => {
  const { page, card } = await shop.open(browser);
  const number = card.locator('[name=cardnumber]');
  const where = () => number.evaluate((input: HTMLInputElement) => [input.value, input.selectionStart]);
  await number.pressSequentially('42424242');
  for (let step = 0; step < 5; step += 1) await page.keyboard.press('ArrowLeft');
  await page.keyboard.type('1');
  expect(await where()).toEqual(['4242 1424 2', 6]);
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Backspace');
  expect(await where()).toEqual(['4244 242', 3]);
  const expiry = card.locator('[name=exp-date]');
  await expiry.pressSequentially('5');
  expect(await expiry.inputValue()).toBe('05 / ');
  await page.keyboard.press('Backspace');
  expect(await expiry.inputValue()).toBe('0');
  await expiry.fill('12/2034');
  expect(await expiry.inputValue()).toBe('12 / 34');
  await page.context().close();
});

const BRANDS = [
  ['4', 'visa'],
  ['55', 'mastercard'],
  ['37', 'amex'],
  ['6011', 'discover'],
  ['36', 'diners'],
  ['3530', 'jcb'],
  ['62', 'unionpay'],
  ['9', 'unknown'],
] as const;

test('the first digits tell the brand', async () => {
  const { page, card } = await shop.open(browser);
  for (const [digits, brand] of BRANDS) {
    await card.locator('[name=cardnumber]').fill(digits);
    await expectEventually(() => page.locator('#problem').textContent(), ` ${brand}`);
  }
  await page.context().close();
});

test('a field that is left unfinished or wrong says so, in the colours of the page', async () => {
  const { page, card } = await shop.open(browser, { query: '&postal&colour=%23eceef0' });
  const [number, expiry] = [card.locator('[name=cardnumber]'), card.locator('[name=exp-date]')];
  const problem = (text: string) => page.locator('#problem').filter({ hasText: text }).waitFor();
  const colourOf = (field: typeof number) => field.evaluate((input) => getComputedStyle(input).color);
  await number.pressSequentially('4242');
  await expectEventually(() => colourOf(number), 'rgb(236, 238, 240)');
  await expiry.focus();
  await problem('Your card number is incomplete.');
  const look = async () => [await colourOf(number), await number.getAttribute('aria-invalid')];
  await expectEventually(look, ['rgb(179, 38, 30)', 'true']);
  await number.fill(CARDS.pays);
  await expiry.fill('01 / 20');
  await problem("Your card's expiration year is in the past.");
  await expiry.fill('13');
  await problem("Your card's expiration date is invalid.");
  await expiry.fill('12 / 34');
  await card.locator('[name=cvc]').fill('123');
  await card.locator('[name=postal]').fill('94107');
  await problem('complete');
  await page.context().close();
});

test('the card number is never in the page, nor in any address', async () => {
  const { page, fill, pay, said } = await shop.open(browser);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await fill(CARDS.pays);
  await pay();
  await said();
  const html = await page.content();
  expect(html.replace(/\s/g, '')).not.toContain(CARDS.pays);
  expect(asked.join('\n')).not.toMatch(/4242424242424242|_secret_/);
  await page.context().close();
});
