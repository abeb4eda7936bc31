import { IDENTITY_UNREACHABLE } from '../../../src/contract/appMessages';
import { SPEC_MESSAGES } from '../../../src/contract/specMessages';
import { PAGE_MESSAGES } from '../../../src/contract/pageMessages';
import { expectErrorToast } from '../../support/assertions';
import { allowError, browserFixture, fill, NETWORK_ERROR } from '../../support/browser';
import { CARD_FRAME, fetchOrders, payButton, placeOrder, fillCardForm } from '../../support/checkout';
import { newAccount, newEmail, PASSWORD } from '../../support/customers';
import {
  waitForPath,
  waitUntilSignedIn,
  nav,
  signInAsNewUser,
  mainButton,
  waitUntilInteractive,
} from '../../support/session';
import { newTool } from '../../support/tools';
import { CARDS } from '../../support/cards';

const fixture = browserFixture();
const main = () => fixture.page.getByRole('main');
const field = (label: string) => main().getByLabel(label, { exact: true });

async function expectOfflineError(action: () => Promise<void>, error: string) {
  const { page, visitor } = fixture;
  await visitor.context.setOffline(true);
  await action();
  await expectErrorToast(page, error);
  await visitor.context.setOffline(false);
  allowError(visitor, NETWORK_ERROR);
}

async function sendOfflineThenOnline(button: string, fields: Record<string, string>, error: string) {
  const { page } = fixture;
  const send = () => mainButton(page, button).click();
  await mainButton(page, button).and(page.locator(':enabled')).waitFor();
  await fill(page, fields);
  await expectOfflineError(send, error);
  for (const [label, text] of Object.entries(fields)) expect(await field(label).inputValue()).toBe(text);
  await send();
}

test('a login that fails offline succeeds after reconnecting', async () => {
  const email = newEmail();
  await newAccount(email);
  await fixture.page.goto('/login', { waitUntil: 'networkidle' });
  await sendOfflineThenOnline('Log in', { Email: email, Password: PASSWORD }, IDENTITY_UNREACHABLE);
  await waitUntilSignedIn(fixture.page);
});

test('an order that fails offline is placed exactly once after reconnecting', async () => {
  const { page } = fixture;
  const email = await signInAsNewUser(page);
  const tool = await newTool();
  await page.goto(`/purchase/${tool._id}`, { waitUntil: 'networkidle' });
  const fields = { Address: '18 Foundry Row', Phone: '555 0142', Quantity: String(tool.minimumOrderQuantity) };
  await sendOfflineThenOnline('Place order', fields, PAGE_MESSAGES.noReplyToOrder);
  await waitForPath(page, '/dashboard/myorder');
  expect(await fetchOrders(page, email)).toHaveLength(1);
});

test('a payment that fails offline keeps the card details and succeeds after reconnecting', async () => {
  const { page, visitor } = fixture;
  await signInAsNewUser(page);
  const order = await placeOrder(page);
  await page.goto(`/dashboard/payment/${order._id}`);
  await fillCardForm(page, CARDS.pays);
  await payButton(page).and(page.locator(':enabled')).waitFor();
  await visitor.context.setOffline(true);
  await payButton(page).click();
  await main().getByRole('alert').getByText('We could not reach the payment service.', { exact: false }).waitFor();
  expect(await page.frameLocator(CARD_FRAME).locator('[name=cardnumber]').inputValue()).toBe('4242 4242 4242 4242');
  await visitor.context.setOffline(false);
  allowError(visitor, NETWORK_ERROR);
  await payButton(page).click();
  await main().getByText(SPEC_MESSAGES.paid, { exact: true }).waitFor();
});

test('tools that are already loaded remain visible when the shop responds with a 503', async () => {
  const { page } = fixture;
  await page.route(/\/(tool|review)$/, (route) => route.fulfill({ status: 503, body: '' }));
  await page.goto('/');
  await waitUntilInteractive(page);
  const [first] = await main().locator('#tools').getByRole('heading', { level: 3 }).allTextContents();
  await nav(page).getByRole('link', { name: 'Blogs' }).click();
  await page.getByRole('heading', { level: 1, name: 'BLOG POSTS' }).waitFor();
  await nav(page).getByRole('link', { name: 'Home' }).click();
  await main().getByRole('heading', { level: 3, name: first! }).waitFor();
});
