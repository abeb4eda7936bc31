import { SPEC_MESSAGES } from '../../../src/contract/specMessages';
import { browserFixture, fill, holdRequests } from '../../support/browser';
import { fetchOrders, payButton, placeOrder, fillCardForm } from '../../support/checkout';
import { waitForPath, signInAsNewUser, mainButton, waitUntilInteractive } from '../../support/session';
import { newTool } from '../../support/tools';
import { waitUntil } from '../../support/wait';
import { CARDS } from '../../support/cards';

const fixture = browserFixture();
const main = () => fixture.page.getByRole('main');

async function open(path: string) {
  await fixture.page.clock.install();
  await fixture.page.goto(path);
  await waitUntilInteractive(fixture.page);
}

/** Presses the button three times, and waits 20 seconds. Expects one request, a busy button and no error. */
async function sendForTwentySeconds(name: string, calls: string | RegExp) {
  const { page } = fixture;
  const slow = await holdRequests(page, calls);
  await mainButton(page, name).click();
  const busyButton = main().locator('button[aria-busy=true]', { hasText: name });
  await busyButton.waitFor();
  await waitUntil(() => slow.countRequests() > 0);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Space');
  await page.clock.fastForward(20_000);
  await busyButton.waitFor();
  expect(await page.getByRole('alert').allTextContents()).toEqual([]);
  expect(slow.countRequests()).toBe(1);
  slow.release();
}

test('an order that takes 20 seconds is placed once', async () => {
  const { page } = fixture;
  const email = await signInAsNewUser(page);
  const tool = await newTool();
  await open(`/purchase/${tool._id}`);
  await fill(page, { Address: 'a', Phone: '555 0100', Quantity: String(tool.minimumOrderQuantity) });
  await sendForTwentySeconds('Place order', '**/order');
  await waitForPath(page, '/dashboard/myorder');
  expect(await fetchOrders(page, email)).toHaveLength(1);
});

test('a payment that takes 20 seconds is confirmed once', async () => {
  const { page } = fixture;
  await signInAsNewUser(page);
  const order = await placeOrder(page);
  await open(`/dashboard/payment/${order._id}`);
  await fillCardForm(page, CARDS.pays);
  await payButton(page).and(page.locator(':enabled')).waitFor();
  await sendForTwentySeconds(SPEC_MESSAGES.pay, /\/v1\/payment_intents\/.*\/confirm/);
  await main().getByText(SPEC_MESSAGES.paid, { exact: true }).waitFor();
});
