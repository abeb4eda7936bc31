import { browserFixture } from '../../support/browser';
import { newEmail } from '../../support/customers';
import { nav, signUp, waitUntilInteractive } from '../../support/session';

const fixture = browserFixture();

test('names and reviews are isolated from the direction of the text around them', async () => {
  const { page } = fixture;
  const name = 'מרים Lee';
  await signUp(page, newEmail(), name);
  await page.goto('/');
  await waitUntilInteractive(page);
  const directionOf = (element: Element) => getComputedStyle(element).unicodeBidi;
  const shown = [nav(page).getByText(name), page.locator('#reviews blockquote'), page.locator('#reviews h3')];
  for (const texts of shown) expect(await texts.first().evaluate(directionOf)).toBe('isolate');
  await page.goto('/login');
  expect(await page.getByRole('main').getByText(name, { exact: true }).evaluate(directionOf)).toBe('isolate');
});
