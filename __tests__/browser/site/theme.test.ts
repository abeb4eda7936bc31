import { waitUntilInteractive } from '../../support/session';
import { browserFixture } from '../../support/browser';

const fixture = browserFixture();
const themeButton = (theme: string) => fixture.page.getByRole('button', { name: `Switch to the ${theme} theme` });
const readBackgroundColor = () => fixture.page.evaluate(() => getComputedStyle(document.body).backgroundColor);

test('the chosen theme applies on other pages, and after a reload before any chunk loads', async () => {
  const { page } = fixture;
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto('/blogs');
  await waitUntilInteractive(page);
  const light = await readBackgroundColor();
  await themeButton('dark').click();
  await themeButton('light').waitFor();
  const dark = await readBackgroundColor();
  expect(dark).not.toBe(light);

  await page.route('**/assets/*.js', () => undefined);
  await page.reload({ waitUntil: 'domcontentloaded' });
  expect(await readBackgroundColor()).toBe(dark);
  await page.unroute('**/assets/*.js');
  await page.goto('/about');
  await waitUntilInteractive(page);
  await themeButton('light').waitFor();
  expect(await readBackgroundColor()).toBe(dark);
  await themeButton('light').click();
  await themeButton('dark').waitFor();
  await page.reload();
  await waitUntilInteractive(page);
  expect([await themeButton('dark').count(), await readBackgroundColor()]).toEqual([1, light]);
});

test("the page follows the operating system's theme until the theme button is pressed", async () => {
  const { page } = fixture;
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto('/blogs');
  await waitUntilInteractive(page);
  await themeButton('light').waitFor();
  const dark = await readBackgroundColor();
  await page.emulateMedia({ colorScheme: 'light' });
  await themeButton('dark').waitFor();
  expect(await readBackgroundColor()).not.toBe(dark);
  await themeButton('dark').click();
  await themeButton('light').waitFor();
  expect(await readBackgroundColor()).toBe(dark);
});
