import type { Page } from 'playwright-core';
import { browserFixture, fill } from '../../support/browser';
import { fetchOrders } from '../../support/checkout';
import {
  waitForPath,
  waitUntilSignedOut,
  logIn,
  signInAsNewUser,
  signOut,
  mainButton,
  waitUntilInteractive,
} from '../../support/session';
import { newTool } from '../../support/tools';

const fixture = browserFixture();
const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });

// Clause A.2.8
test.each(['a visitor', 'a customer'])(
  'an unknown dashboard path shows the not-found page with status 404 to %s',
  async (person) => {
    const { page } = fixture;
    if (person === 'a customer') await signInAsNewUser(page);
    const response = await page.goto('/dashboard/typo');
    expect(response?.status()).toBe(404);
    await waitUntilInteractive(page);
    await heading(page, 'Page not found').waitFor();
    expect(new URL(page.url()).pathname).toBe('/dashboard/typo');
  },
);

test('logging in after a sign-out leads to the home page, or to the page that required the login', async () => {
  const { page } = fixture;
  const email = await signInAsNewUser(page);
  await page.goto('/dashboard/addreview');
  await signOut(page);
  await waitForPath(page, '/login');
  await logIn(page, email);
  await waitForPath(page, '/');
  await signOut(page);
  await page.goto('/dashboard/addreview');
  await waitUntilSignedOut(page);
  await logIn(page, email);
  await waitForPath(page, '/dashboard/addreview');
});

// Clause C.6.15
test('a double click places one order without a price even if the response is fast, and another quantity begins another', async () => {
  const { page } = fixture;
  const [email, tool] = await Promise.all([signInAsNewUser(page), newTool()]);
  await page.goto(`/purchase/${tool._id}`);
  await fill(page, { Address: '18 Foundry Row', Phone: '555 0142', Quantity: '1' });
  const button = mainButton(page, 'Ask us for a price');
  const note = page.getByRole('heading', { name: 'We saved your request' });
  const { x, y } = (await button.boundingBox())!;
  await button.click();
  await note.waitFor();
  await page.mouse.click(x + 5, y + 5, { clickCount: 2 });
  expect([await button.count(), (await fetchOrders(page, email)).length]).toEqual([0, 1]);
  await fill(page, { Quantity: '2' });
  await note.waitFor({ state: 'detached' });
  await button.click();
  await note.waitFor();
  expect((await fetchOrders(page, email)).map(({ totalQuantity }) => totalQuantity)).toEqual([2, 1]);
});
