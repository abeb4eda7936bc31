import { waitUntilInteractive } from '../../support/session';
import { browserFixture } from '../../support/browser';

const fixture = browserFixture();
const themeButton = (theme: string) => fixture.page.getByRole('button', { name: `Color theme: ${theme}. Switch to` });
const backgroundColor = () => fixture.page.evaluate(() => getComputedStyle(document.body).backgroundColor);

test('the chosen theme applies after a reload and on every page, before any chunk loads', async () => {
  const { page } = fixture;
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto('/blogs');
  await waitUntilInteractive(page);
  const light = await backgroundColor();
  await themeButton('system').click();
  await themeButton('light').click();
  await themeButton('dark').waitFor();
  const dark = await backgroundColor();
  expect(dark).not.toBe(light);

  await page.route('**/assets/*.js', () => undefined);
  await page.reload({ waitUntil: 'domcontentloaded' });
  expect(await backgroundColor()).toBe(dark);
  await page.unroute('**/assets/*.js');
  await page.goto('/about');
  await themeButton('dark').waitFor();
  expect(await backgroundColor()).toBe(dark);
  await waitUntilInteractive(page);
  await themeButton('dark').click();
  await themeButton('system').waitFor();
  await page.reload();
  await waitUntilInteractive(page);
  expect([await themeButton('system').count(), await backgroundColor()]).toEqual([1, light]);
});
