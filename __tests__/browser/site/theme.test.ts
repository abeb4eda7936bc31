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

// WCAG 1.4.1, 1.4.11
test('in forced colors the current page and the current slide are marked', async () => {
  const { page } = fixture;
  await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' });
  await page.goto('/');
  await page.locator('.swiper-initialized').waitFor({ state: 'attached' });
  const readDotColor = (name: string) =>
    page
      .getByRole('button', { name, exact: true })
      .evaluate((dot) => getComputedStyle(dot, '::before').backgroundColor);
  const [current, other, surface] = [
    await readDotColor('Slide 1'),
    await readDotColor('Slide 2'),
    await readBackgroundColor(),
  ];
  expect(new Set([current, other, surface]).size).toBe(3);
  const readDecoration = (name: string) =>
    page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link', { name, exact: true })
      .evaluate((link) => getComputedStyle(link).textDecorationLine);
  expect([await readDecoration('Home'), await readDecoration('Blogs')]).toEqual(['underline', 'none']);
});
