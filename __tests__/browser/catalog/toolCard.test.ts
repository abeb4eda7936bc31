import { shopOrigin } from '../../support/api';
import { findDisplayProblems } from '../../support/assertions';
import { browserFixture } from '../../support/browser';
import { openKeyboard } from '../../support/keyboard';
import { waitForPath, waitUntilInteractive } from '../../support/session';

const fixture = browserFixture(shopOrigin);
const cardOf = (name: RegExp) =>
  fixture.page.locator('#tools li').filter({ has: fixture.page.getByRole('heading', { name }) });

async function open(path: string) {
  await fixture.page.goto(path);
  await waitUntilInteractive(fixture.page);
  await fixture.page.waitForLoadState('networkidle');
  return fixture.page;
}

test('a card leads to the page of its tool, and Escape or Back returns to the same place in the list', async () => {
  const page = await open('/home');
  const link = page.locator('#tools h3 a').nth(13);
  const name = await link.innerText();
  await link.scrollIntoViewIfNeeded();
  const readScrollY = () => page.evaluate(() => Math.round(scrollY));
  const place = await readScrollY();
  const title = page.getByRole('heading', { level: 1, name });
  for (const close of [() => page.keyboard.press('Escape'), () => page.goBack()]) {
    await link.click();
    await title.waitFor();
    expect(page.url()).toBe(`${shopOrigin()}${await link.getAttribute('href')}`);
    expect([await readScrollY(), await page.title()]).toEqual([0, `${name} · Forgeline`]);
    await openKeyboard(page).expectFocus(page.locator('main'));
    await close();
    await waitForPath(page, '/home');
    await title.waitFor({ state: 'detached' });
    await openKeyboard(page).expectFocus(link);
    expect(await readScrollY()).toBe(place);
  }
});

test('Back from a tool that was reloaded returns to its card in the list', async () => {
  const page = await open('/home');
  const link = page.locator('#tools h3 a').nth(13);
  await link.click();
  await page.getByRole('article').waitFor();
  await page.reload();
  await waitUntilInteractive(page);
  await page.goBack();
  await openKeyboard(page).expectFocus(link);
  expect(await link.evaluate((element) => element.getBoundingClientRect().top / innerHeight)).toBeCloseTo(0.5, 0);
});

test.each([
  [390, 'light'],
  [1280, 'dark'],
] as const)('the page of a tool shows everything %i px wide and stays after a reload', async (width, colorScheme) => {
  const page = await open('/home?q=cross-peen');
  await page.setViewportSize({ width, height: 800 });
  await page.emulateMedia({ colorScheme });
  await cardOf(/^Cross-peen/)
    .locator('img')
    .click();
  const article = page.getByRole('article');
  await article.getByRole('rowheader', { name: 'Length' }).waitFor();
  await page.reload();
  await waitUntilInteractive(page);
  expect(await article.getByRole('row').allInnerTexts()).toContain('Length\t320\u00a0mm');
  await article.getByRole('img', { name: 'Drawing, 320 mm long and 101 mm high' }).waitFor();
  const order = article.getByRole('region', { name: 'Order' });
  expect(await order.innerText()).toMatch(/Price: \$ 18\s+per piece\s+Available: \d+ piece\s+Minimum Order: 20/);
  expect(await findDisplayProblems(page, `tool ${width}`, 'main')).toEqual([]);
  await article.getByRole('link', { name: /^Enlarge the picture/ }).click();
  await page
    .getByRole('dialog', { name: /^Cross-peen/ })
    .locator('img')
    .waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await order.getByRole('link', { name: 'Purchase' }).click();
  await waitForPath(page, '/login');
});

test('on a phone, an enlarged picture is shown whole, and can be zoomed', async () => {
  const page = await open('/home?q=claw');
  await page.setViewportSize({ width: 390, height: 844 });
  await cardOf(/^Claw/).locator('img').click();
  await page.getByRole('link', { name: /^Enlarge the picture/ }).click();
  const dialog = page.getByRole('dialog', { name: /^Claw/ });
  const readWidths = () => dialog.evaluate((box) => [box.scrollWidth, box.clientWidth]);
  expect(await readWidths()).toEqual([390, 390]);
  await dialog.getByRole('button', { name: 'Zoom in' }).click();
  expect(await readWidths()).toEqual([780, 390]);
  await dialog.getByRole('button', { name: 'Zoom out' }).click();
  expect(await readWidths()).toEqual([390, 390]);
  expect(await findDisplayProblems(page, 'enlarged picture', 'dialog')).toEqual([]);
});

test('an unknown tool says so, also after the scripts have run, and leads to the tools', async () => {
  const page = await open('/home?tool=unknown');
  await page.getByRole('heading', { name: 'Tool not found' }).waitFor();
  await page.getByRole('main').getByRole('link', { name: 'Back to the tools' }).click();
  await cardOf(/^Cross-peen/).waitFor();
});
