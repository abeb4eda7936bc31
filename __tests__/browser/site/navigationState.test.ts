import type { Page } from 'playwright-core';
import { callShop, shopOrigin } from '../../support/api';
import { allowError, browserFixture, CHUNK_LOAD_ERROR, fill, storedToken } from '../../support/browser';
import { fetchOrders } from '../../support/checkout';
import { waitForPath, waitUntilSignedOut, logIn, nav, signInAsNewUser, signOut, submitButton, waitUntilInteractive } from '../../support/session';
import { newTool } from '../../support/tools';
import { expectEventually, waitUntil } from '../../support/wait';

const fixture = browserFixture();
const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });

// Clause A.2.8
test.each(['a visitor', 'a customer'])('under the dashboard too, what is nowhere is not found by %s', async (who) => {
  const { page } = fixture;
  if (who === 'a customer') await signInAsNewUser(page);
  const answer = await page.goto('/dashboard/typo');
  expect(answer?.status()).toBe(404);
  await waitUntilInteractive(page);
  await heading(page, 'Page not found').waitFor();
  expect(new URL(page.url()).pathname).toBe('/dashboard/typo');
});

test('who signs out on a page has left it: whoever logs in next comes home, and from another page to that', async () => {
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
test('the second press of a double click orders nothing, however soon the first was answered; another press does', async () => {
  const { page } = fixture;
  const [email, tool] = await Promise.all([signInAsNewUser(page), newTool()]);
  await page.goto(`/purchase/${tool._id}`);
  await fill(page, { Address: '18 Foundry Row', Phone: '555 0142', Quantity: '1' });
  const button = submitButton(page, 'Place order');
  const answer = () => page.waitForResponse((response) => response.request().method() === 'POST');
  await Promise.all([answer(), button.click()]);
  await page.getByText('We saved this order').waitFor();
  const { x, y } = (await button.boundingBox())!;
  await page.mouse.move(x + 5, y + 5);
  await page.mouse.down({ clickCount: 2 });
  await page.mouse.up({ clickCount: 2 });
  await Promise.all([answer(), button.click()]);
  await waitUntil(async () => (await fetchOrders(page, email)).length > 1);
  expect(await fetchOrders(page, email)).toHaveLength(2);
});

// Clause C.14.2
test('a part that did not come is asked for anew by the next visit', async () => {
  const { page, visitor } = fixture;
  await page.goto('/about');
  await waitUntilInteractive(page);
  const part = '**/assets/blog.*.js';
  await page.route(part, (route) => route.abort());
  const toBlogs = () => nav(page).getByRole('link', { name: 'Blogs' }).click();
  await toBlogs();
  await page.getByText(/^Loading chunk \S+ failed\.$/).waitFor();
  await page.unroute(part);
  await nav(page).getByRole('link', { name: 'About' }).click();
  await waitForPath(page, '/about');
  await toBlogs();
  await heading(page, 'BLOG POSTS').waitFor();
  allowError(visitor, CHUNK_LOAD_ERROR);
});

test('what is half typed at the foot of the page stays from page to page', async () => {
  const { page } = fixture;
  await page.goto('/about');
  await waitUntilInteractive(page);
  const box = page.getByRole('contentinfo').getByRole('textbox');
  await box.fill('half@an.addr');
  for (const name of ['Blogs', 'Home']) {
    await nav(page).getByRole('link', { name, exact: true }).click();
    await waitForPath(page, name === 'Home' ? '/' : '/blogs');
    await page.getByRole('heading', { level: 1 }).waitFor({ state: 'attached' });
    expect(await box.inputValue()).toBe('half@an.addr');
  }
});

test('a draft of a profile has what was typed, not what stood beside it', async () => {
  const { page } = fixture;
  const email = await signInAsNewUser(page);
  const save = async (address: string) => {
    const body = { email, address, education: '', phone: '111', linkedIn: 'https://linkedin.com/in/ann' };
    const token = (await storedToken(page)) ?? undefined;
    expect((await callShop(shopOrigin(), '/profile', { method: 'POST', token, body })).status).toBe(201);
  };
  await save('Before');
  await page.goto('/dashboard');
  await expectEventually(() => page.getByLabel('Address').inputValue(), 'Before');
  await page.getByLabel('Phone').fill('222');
  await page.getByRole('link', { name: 'Add review' }).click();
  await save('From elsewhere');
  await page.goto('/dashboard');
  await expectEventually(() => page.getByLabel('Address').inputValue(), 'From elsewhere');
  expect(await page.getByLabel('Phone').inputValue()).toBe('222');
});
