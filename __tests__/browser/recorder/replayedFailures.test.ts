import { allowError, CHUNK_LOAD_ERROR } from '../../support/browser';
import { CARDS } from '../../support/cards';
import { payWithCard, placeOrder, withFreshCustomer } from '../../support/checkout';
import { endSessions, nav, mainButton, waitUntilInteractive } from '../../support/session';
import { setPrice } from '../../support/tools';
import {
  answerWithBrokenReview,
  findReplayDifference,
  saveSession,
  waitUntilPageRecorded,
  waitUntilRecording,
  type SavedSession,
} from './savedSession';

const fixture = withFreshCustomer();
const main = () => fixture.page.getByRole('main');
const openLink = (name: string) => nav(fixture.page).getByRole('link', { name }).first().click();
jest.setTimeout(180_000);

/** Saves the session, and expects that a replay of the file has the same states and pages. */
async function saveAndReplay(): Promise<SavedSession> {
  await waitUntilPageRecorded(fixture.page);
  const saved = await saveSession(fixture.page);
  expect(await findReplayDifference(fixture.browser, saved.file)).toBeUndefined();
  return saved;
}

async function open(path: string) {
  await fixture.page.goto(path);
  await waitUntilInteractive(fixture.page);
  await waitUntilRecording(fixture.page);
}

test('a saved session replays a page that crashed', async () => {
  const { page, visitor } = fixture;
  await answerWithBrokenReview(page);
  await open('/about');
  await openLink('Home');
  await main().getByRole('alert').getByRole('button', { name: 'Save what happened' }).waitFor();
  const { events } = await saveAndReplay();
  expect(events).toContain('page/threw TypeError');
  allowError(visitor, /TypeError|Cannot read|React error #520/);
});

test('a saved session replays a chunk that failed to load', async () => {
  const { page, visitor } = fixture;
  await open('/about');
  await page.route('**/assets/blog.*.js', (route) => route.abort());
  await openLink('Blogs');
  await main().getByRole('alert').getByRole('button', { name: 'Save what happened' }).waitFor();
  const { events } = await saveAndReplay();
  expect(events).toContain('page/chunkFailed blog');
  allowError(visitor, CHUNK_LOAD_ERROR);
});

test('a saved session replays a page whose chunk loaded after a failure', async () => {
  const { page, visitor } = fixture;
  await open('/about');
  await page.route('**/assets/blog.*.js', (route) => route.abort());
  await openLink('Blogs');
  await main().getByRole('alert').waitFor();
  await page.unroute('**/assets/blog.*.js');
  await openLink('Home');
  await openLink('Blogs');
  await main().getByRole('heading', { level: 1 }).waitFor();
  const { events } = await saveAndReplay();
  expect(events.slice(events.indexOf('page/chunkFailed blog'))).toContain('page/chunkLoaded blog');
  allowError(visitor, CHUNK_LOAD_ERROR);
});

test('a saved session contains the reason why an order was rejected', async () => {
  const { page, tool } = fixture;
  await fixture.createOwnTool();
  await fixture.fillOrder(fixture.tool.minimumOrderQuantity);
  await waitUntilRecording(page);
  await setPrice(fixture.tool._id, tool.price + 1);
  await fixture.placeOrderButton().click();
  await main()
    .getByText(/^The price has changed/)
    .waitFor();
  const { events } = await saveAndReplay();
  expect(events).toContainEqual(expect.stringMatching(/^placeOrder failed: 409 price_changed [a-z2-9]{5}-\w+$/));
});

test('a saved session replays the redirect to the login page when the login has expired', async () => {
  const { page, email } = fixture;
  await open('/dashboard');
  await endSessions(email);
  // Without a pointer, because hovering prefetches the orders, whose error may redirect before the click.
  await page
    .getByRole('navigation', { name: 'Dashboard' })
    .getByRole('link', { name: 'My Order' })
    .dispatchEvent('click');
  await mainButton(page, 'Log in').waitFor();
  const { events } = await saveAndReplay();
  expect(events).toContain('page/opened pushed');
  const later = events.slice(events.indexOf('listMyOrders was sent'));
  expect(later).toEqual(expect.arrayContaining(['auth/signedOut', 'page/opened replaced']));
});

test('a saved session contains the API calls and the decline of a card payment', async () => {
  const { page } = fixture;
  const order = await placeOrder(page);
  await open(`/dashboard/payment/${order._id}`);
  await payWithCard(page, CARDS.declined);
  await main().getByRole('alert').first().waitFor();
  await openLink('Home');
  const { events } = await saveAndReplay();
  expect(events).toEqual(expect.arrayContaining(['createPaymentIntent succeeded', 'payment/refused card_declined']));
});

test('control: a replayed page that differs from the recorded page is reported', async () => {
  await open('/about');
  await openLink('Blogs');
  const { file } = await saveAndReplay();
  const outlines = file.outlines.map((outline) => outline.slice(0, -2));
  expect(await findReplayDifference(fixture.browser, { ...file, outlines })).toMatch(
    /^Step \d+ \(page\/opened\) shows a different page than the customer's:\n/,
  );
});
