import { shopOrigin } from '../../support/api';
import { findDisplayProblems } from '../../support/assertions';
import { browserFixture } from '../../support/browser';
import { openKeyboard } from '../../support/keyboard';
import { pathOf, waitForPath, waitUntilInteractive } from '../../support/session';

const fixture = browserFixture(shopOrigin);
const cardOf = (name: RegExp) =>
  fixture.page.locator('#tools li').filter({ has: fixture.page.getByRole('heading', { name }) });

async function open(path: string) {
  await fixture.page.goto(path);
  await waitUntilInteractive(fixture.page);
  await fixture.page.waitForLoadState('networkidle');
  return fixture.page;
}

test('a card expands its full text in place, and opens its picture in a dialog that Escape closes', async () => {
  const page = await open('/?q=cross-peen');
  const card = cardOf(/^Cross-peen/);
  await page.setViewportSize({ width: 390, height: 844 });
  const text = card.locator('p[dir=auto]');
  const isCut = () => text.evaluate((element) => element.scrollHeight > element.clientHeight + 1);
  expect(await isCut()).toBe(true);
  const keys = openKeyboard(page);
  await keys.activate(card.locator('summary'));
  expect(await isCut()).toBe(false);
  await card.getByText('Less', { exact: true }).waitFor();
  const link = card.getByRole('link', { name: /^Enlarge the picture/ });
  await keys.activate(link);
  const dialog = page.getByRole('dialog', { name: /^Cross-peen/ });
  await dialog.locator('img').waitFor();
  expect(await findDisplayProblems(page, 'large picture', 'dialog[open]')).toEqual([]);
  await keys.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await keys.expectFocus(link);
});

test('Back closes an enlarged picture and stays on the page', async () => {
  const page = await open('/about');
  await page.getByRole('link', { name: 'Home' }).click();
  const link = cardOf(/^Cross-peen/).getByRole('link', { name: /^Enlarge the picture/ });
  const dialog = page.getByRole('dialog');
  await link.click();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await dialog.waitFor({ state: 'detached' });
  await link.click();
  await dialog.locator('img').waitFor();
  await page.goBack();
  await dialog.waitFor({ state: 'detached' });
  expect(pathOf(page)).toBe('/');
  await openKeyboard(page).expectFocus(link);
  await page.goBack();
  await waitForPath(page, '/about');
});
