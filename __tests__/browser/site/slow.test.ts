import { SPEC_MESSAGES } from '../../../src/contract/specMessages';
import { expectSuccessToast } from '../../support/assertions';
import { browserFixture, fill, holdRequests } from '../../support/browser';
import { fetchOrders, payButton, placeOrder, typeCard } from '../../support/checkout';
import { newAccount, newEmail, PASSWORD } from '../../support/customers';
import { waitForPath, waitUntilSignedIn, signInAsDemoUser, signInAsNewUser, submitButton, waitUntilInteractive } from '../../support/session';
import { newTool } from '../../support/tools';
import { waitUntil } from '../../support/wait';
import { CARDS } from '../../support/cards';

const fixture = browserFixture();
const main = () => fixture.page.getByRole('main');

/** A page that lives, in which time can be sped up. */
async function open(path: string) {
  await fixture.page.clock.install();
  await fixture.page.goto(path);
  await waitUntilInteractive(fixture.page);
}

/** Presses, presses again, and looks after 20 seconds: one request, a button that waits, and no word of failure. */
async function pressAndWait(name: string, calls: string | RegExp) {
  const { page } = fixture;
  const slow = await holdRequests(page, calls);
  await submitButton(page, name).click();
  const waiting = main().locator('button[aria-busy=true]', { hasText: name });
  await waiting.waitFor();
  await waitUntil(() => slow.countRequests() > 0);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Space');
  await page.clock.fastForward(20_000);
  await waiting.waitFor();
  expect(await page.getByRole('alert').allTextContents()).toEqual([]);
  expect(slow.countRequests()).toBe(1);
  slow.release();
}

test('an answer after 20 seconds to a login', async () => {
  const email = newEmail();
  await newAccount(email);
  await open('/login');
  await fill(fixture.page, { Email: email, Password: PASSWORD });
  await pressAndWait('Log in', '**/accounts:signInWithPassword*');
  await waitUntilSignedIn(fixture.page);
});

test('an answer after 20 seconds to a signup', async () => {
  await open('/signup');
  await fill(fixture.page, { Name: 'Ann Lee', Email: newEmail(), Password: PASSWORD });
  await pressAndWait('Sign up', '**/accounts:signUp*');
  await waitUntilSignedIn(fixture.page);
});

test('an answer after 20 seconds to an order', async () => {
  const { page } = fixture;
  const email = await signInAsNewUser(page);
  const tool = await newTool();
  await open(`/purchase/${tool._id}`);
  await fill(page, { Address: 'a', Phone: 'p', Quantity: String(tool.minimumOrderQuantity) });
  await pressAndWait('Place order', '**/order');
  await waitForPath(page, '/dashboard/myorder');
  expect(await fetchOrders(page, email)).toHaveLength(1);
});

test('an answer after 20 seconds to a profile and to a review', async () => {
  const { page } = fixture;
  await signInAsNewUser(page);
  await open('/dashboard');
  await fill(page, { Address: 'a', Phone: 'p', LinkedIn: 'a.example' });
  await pressAndWait('Save', '**/profile');
  await expectSuccessToast(fixture.page, SPEC_MESSAGES.profileSaved);
  await page.getByRole('link', { name: 'Add review' }).click();
  await fill(page, { Description: 'Solid.', Ratings: '4', 'Photo link': '/images/people/aiko-tanabe.svg' });
  await pressAndWait('Add review', '**/review');
  await expectSuccessToast(fixture.page, SPEC_MESSAGES.reviewSaved);
});

test('an answer after 20 seconds to a new tool', async () => {
  await signInAsDemoUser(fixture.page, 'admin');
  await open('/dashboard/addproduct');
  const numbers = { Price: '42', 'Minimum order quantity': '20', 'Available quantity': '120' };
  const words = { Name: `Hammer ${newEmail()}`, Description: 'New.', 'Picture link': '/images/tools/claw-hammer.svg' };
  await fill(fixture.page, { ...words, ...numbers });
  await pressAndWait('Add Product', '**/tool');
  await expectSuccessToast(fixture.page, SPEC_MESSAGES.toolAdded);
});

test('an answer after 20 seconds to a payment', async () => {
  const { page } = fixture;
  await signInAsNewUser(page);
  const order = await placeOrder(page);
  await open(`/dashboard/payment/${order._id}`);
  await typeCard(page, CARDS.pays);
  await payButton(page).and(page.locator(':enabled')).waitFor();
  await pressAndWait(SPEC_MESSAGES.pay, /\/v1\/payment_intents\/.*\/confirm/);
  await main().getByText(SPEC_MESSAGES.paid, { exact: true }).waitFor();
});

test('a list that comes after 20 seconds is waited for, and said to be on its way', async () => {
  const { page } = fixture;
  await signInAsNewUser(page);
  const order = await placeOrder(page);
  const slow = await holdRequests(page, '**/order?*', 'GET');
  await page.clock.install();
  await page.goto('/dashboard/myorder');
  const loading = main().getByRole('status').filter({ hasText: 'Loading' });
  await page.getByRole('heading', { level: 1, name: 'My Orders' }).waitFor();
  await loading.waitFor();
  await page.clock.fastForward(20_000);
  await loading.waitFor();
  slow.release();
  await main().getByRole('cell', { name: order.productName }).waitFor();
});
