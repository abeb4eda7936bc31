import { APP_MESSAGES, IDENTITY_UNREACHABLE } from '../../../src/contract/appMessages';
import { SPEC_MESSAGES } from '../../../src/contract/specMessages';
import { PAGE_MESSAGES } from '../../../src/contract/pageMessages';
import { putUser, shopOrigin } from '../../support/api';
import { expectErrorToast, expectSuccessToast } from '../../support/assertions';
import { allowError, browserFixture, fill, NETWORK_ERROR } from '../../support/browser';
import { CARD_FRAME, fetchOrders, payButton, placeOrder, fillCardForm } from '../../support/checkout';
import { newAccount, newEmail, PASSWORD } from '../../support/customers';
import {
  waitForPath,
  waitUntilSignedIn,
  nav,
  signInAsDemoUser,
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

test('a signup that fails offline succeeds after reconnecting', async () => {
  await fixture.page.goto('/signup', { waitUntil: 'networkidle' });
  await sendOfflineThenOnline(
    'Sign up',
    { Name: 'Ann Lee', Email: newEmail(), Password: PASSWORD },
    IDENTITY_UNREACHABLE,
  );
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

test('a profile that cannot be saved offline is saved after reconnecting', async () => {
  await signInAsNewUser(fixture.page);
  await fixture.page.goto('/dashboard', { waitUntil: 'networkidle' });
  const fields = { Address: '18 Foundry Row', Phone: '555 0142', LinkedIn: 'https://linkedin.example/ann' };
  await sendOfflineThenOnline('Save', fields, APP_MESSAGES.offline);
  await expectSuccessToast(fixture.page, SPEC_MESSAGES.profileSaved);
});

test('a review that fails to be added offline is added after reconnecting', async () => {
  await signInAsNewUser(fixture.page);
  await fixture.page.goto('/dashboard/addreview', { waitUntil: 'networkidle' });
  const fields = { Description: 'Solid.', Ratings: '4', 'Picture link': '/images/people/aiko-tanabe.svg' };
  await sendOfflineThenOnline('Add review', fields, APP_MESSAGES.offline);
  await expectSuccessToast(fixture.page, SPEC_MESSAGES.reviewSaved);
});

test('a tool that fails to be added offline is added after reconnecting', async () => {
  await signInAsDemoUser(fixture.page, 'admin');
  await fixture.page.goto('/dashboard/addproduct', { waitUntil: 'networkidle' });
  const numbers = { Price: '42', 'Minimum order quantity': '20', 'Available quantity': '120' };
  const texts = { Name: `Hammer ${newEmail()}`, Description: 'New.', 'Picture link': '/images/tools/claw-hammer.svg' };
  await sendOfflineThenOnline('Add Product', { ...texts, ...numbers }, APP_MESSAGES.offline);
  await expectSuccessToast(fixture.page, SPEC_MESSAGES.toolAdded);
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

test('deleting an order offline shows an error and keeps the order, and succeeds after reconnecting', async () => {
  const { page } = fixture;
  const email = await signInAsNewUser(page);
  await placeOrder(page);
  await page.goto('/dashboard/myorder', { waitUntil: 'networkidle' });
  await main().getByRole('link', { name: 'Pay', exact: true }).click();
  await payButton(page).and(page.locator(':enabled')).waitFor();
  const deleteOrder = async () => {
    await main().getByRole('button', { name: 'Delete this order' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  };
  await expectOfflineError(deleteOrder, APP_MESSAGES.offline);
  expect(await fetchOrders(page, email)).toHaveLength(1);
  await deleteOrder();
  await waitForPath(page, '/dashboard/myorder');
  await main().getByText('No orders yet').waitFor();
  expect(await fetchOrders(page, email)).toEqual([]);
});

test('promoting a user offline shows an error, and succeeds after reconnecting', async () => {
  const { page } = fixture;
  const email = newEmail();
  const { idToken } = await newAccount(email);
  await putUser(shopOrigin(), email, idToken);
  await signInAsDemoUser(page, 'admin');
  await page.goto('/dashboard/allusers', { waitUntil: 'networkidle' });
  await field('Find by email').fill(email);
  const promote = async () => {
    await main()
      .getByRole('button', { name: `Make Admin: ${email}`, exact: true })
      .click();
    await page.getByRole('dialog').getByRole('button', { name: 'Make Admin' }).click();
  };
  await expectOfflineError(promote, APP_MESSAGES.offline);
  await promote();
  await expectSuccessToast(page, SPEC_MESSAGES.adminMade);
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
