import { shopOrigin } from '../../support/api';
import { findAccessibilityViolations, setDisplay, measureHorizontalOverflow } from '../../support/assertions';
import { browserFixture, PHONE, storedToken } from '../../support/browser';
import { waitForPath, nav, signInAsDemoUser, signInAsNewUser, waitUntilInteractive } from '../../support/session';
import { openKeyboard } from '../../support/keyboard';

const fixture = browserFixture(shopOrigin, PHONE);
const menuButton = () => nav(fixture.page).getByRole('button', { name: 'Menu', exact: true });
const waitUntilOpen = () => nav(fixture.page).locator('button[aria-expanded=true]').waitFor();
const menuLink = (name: string) => nav(fixture.page).getByRole('link', { name, exact: true });

async function open(path: string) {
  await fixture.page.goto(path);
  await waitUntilInteractive(fixture.page);
  expect(await menuLink('Home').isVisible()).toBe(false);
}

test('a tap opens the phone menu, and following one of its links closes it', async () => {
  await open('/');
  await menuButton().tap();
  await waitUntilOpen();
  await menuLink('About').tap();
  await waitForPath(fixture.page, '/about');
  await menuLink('About').waitFor({ state: 'hidden' });
  expect(await menuButton().getAttribute('aria-expanded')).toBe('false');
});

test('the phone menu can be opened by keyboard, and Escape closes it and returns the focus to its button', async () => {
  await open('/blogs');
  const keys = openKeyboard(fixture.page);
  await keys.activate(menuButton());
  await waitUntilOpen();
  await keys.tabTo(menuLink('About'));
  await keys.press('Escape');
  await menuLink('About').waitFor({ state: 'hidden' });
  await keys.expectFocus(menuButton());
  await keys.press('Enter');
  await keys.activate(menuLink('Login'));
  await keys.expectPage('Login');
  expect(keys.focusProblems).toEqual([]);
});

test("the phone menu of a signed-in user has Dashboard, the user's name and Sign out", async () => {
  await signInAsNewUser(fixture.page);
  await open('/blogs');
  await menuButton().tap();
  await menuLink('Dashboard').waitFor();
  await nav(fixture.page).getByText('Ann Lee', { exact: true }).waitFor();
  await nav(fixture.page).getByRole('button', { name: 'Sign out' }).tap();
  await menuButton().tap();
  await menuLink('Login').waitFor();
  expect(await storedToken(fixture.page)).toBeNull();
});

test('the open phone menu is accessible in both themes, and its entries are at least 44 pixels high', async () => {
  await open('/blogs');
  await menuButton().tap();
  await menuLink('Home').waitFor();
  for (const scheme of ['light', 'dark'] as const) {
    await setDisplay(fixture.page, scheme, PHONE.viewport.width);
    expect(await findAccessibilityViolations(fixture.page, { within: 'header' })).toEqual([]);
  }
  expect(await measureHorizontalOverflow(fixture.page)).toBe(0);
  const entries = nav(fixture.page).locator('a:visible, button:visible');
  const tooSmall = await entries.evaluateAll((elements) =>
    elements.filter((element) => element.getBoundingClientRect().height < 44).map(({ textContent }) => textContent),
  );
  expect(tooSmall).toEqual([]);
});

test('no item of the dashboard menu is cut off on phones', async () => {
  const { page } = fixture;
  await signInAsDemoUser(page, 'admin');
  await page.goto('/dashboard/manageallorders');
  const items = page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link');
  await items.getByText('Manage All Orders').waitFor();
  for (const width of [320, 390]) {
    await page.setViewportSize({ width, height: 740 });
    const boxes = await Promise.all((await items.all()).map((item) => item.boundingBox()));
    expect(boxes).toHaveLength(4);
    expect(boxes.filter((box) => !box || box.x < 0 || box.x + box.width > width || box.height < 44)).toEqual([]);
  }
});
