import { waitUntilInteractive } from '../../support/session';
import { browserFixture } from '../../support/browser';

const fixture = browserFixture();
const colors = (now: string) => fixture.page.getByRole('button', { name: `Colors: ${now}. Change to` });
const ground = () => fixture.page.evaluate(() => getComputedStyle(document.body).backgroundColor);

test('the colors that one chose are there after a reload and on every page, before any script of the page', async () => {
  const { page } = fixture;
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto('/blogs');
  await waitUntilInteractive(page);
  const light = await ground();
  await colors('system').click();
  await colors('light').click();
  await colors('dark').waitFor();
  const dark = await ground();
  expect(dark).not.toBe(light);

  await page.route('**/assets/*.js', () => undefined);
  await page.reload({ waitUntil: 'domcontentloaded' });
  expect(await ground()).toBe(dark);
  await page.unroute('**/assets/*.js');
  await page.goto('/about');
  await colors('dark').waitFor();
  expect(await ground()).toBe(dark);
  await waitUntilInteractive(page);
  await colors('dark').click();
  await colors('system').waitFor();
  await page.reload();
  await waitUntilInteractive(page);
  expect([await colors('system').count(), await ground()]).toEqual([1, light]);
});
