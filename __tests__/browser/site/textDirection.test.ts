import { browserFixture } from '../../support/browser';
import { newAccount, newEmail } from '../../support/customers';
import { nav, signInAs, waitUntilInteractive } from '../../support/session';

const fixture = browserFixture();

test('the text direction of names and reviews does not affect the surrounding text', async () => {
  const { page } = fixture;
  const name = 'מרים Lee';
  const email = newEmail();
  await newAccount(email, name);
  await signInAs(page, email);
  await page.goto('/');
  await waitUntilInteractive(page);
  const bidiIsolation = (element: Element) => getComputedStyle(element).unicodeBidi;
  const elements = [nav(page).getByText(name), page.locator('#reviews blockquote'), page.locator('#reviews h3')];
  for (const element of elements) expect(await element.first().evaluate(bidiIsolation)).toBe('isolate');
  await page.goto('/login');
  expect(await page.getByRole('main').getByText(name, { exact: true }).evaluate(bidiIsolation)).toBe('isolate');
});
