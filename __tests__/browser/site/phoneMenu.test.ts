import { shopOrigin } from '../../support/api';
import { accessibilityViolations, setDisplay, horizontalOverflow } from '../../support/assertions';
import { browserFixture, PHONE, storedToken } from '../../support/browser';
import { waitForPath, nav, signInAsNewUser, waitUntilInteractive } from '../../support/session';
import { openKeyboard } from '../../support/keyboard';

const fixture = browserFixture(shopOrigin, PHONE);
const opener = () => nav(fixture.page).getByRole('button', { name: 'Menu', exact: true });
const opened = () => nav(fixture.page).locator('button[aria-expanded=true]').waitFor();
const entry = (name: string) => nav(fixture.page).getByRole('link', { name, exact: true });

async function open(path: string) {
  await fixture.page.goto(path);
  await waitUntilInteractive(fixture.page);
  expect(await entry('Home').isVisible()).toBe(false);
}

test('a finger opens the menu, and it is shut again on the page that one goes to', async () => {
  await open('/');
  await opener().tap();
  await opened();
  await entry('About').tap();
  await waitForPath(fixture.page, '/about');
  await entry('About').waitFor({ state: 'hidden' });
  expect(await opener().getAttribute('aria-expanded')).toBe('false');
});

test('by keyboard the menu opens, Escape shuts it, and the focus is on its button again', async () => {
  await open('/blogs');
  const keys = openKeyboard(fixture.page);
  await keys.activate(opener());
  await opened();
  await keys.tabTo(entry('About'));
  await keys.press('Escape');
  await entry('About').waitFor({ state: 'hidden' });
  await keys.expectFocus(opener());
  await keys.press('Enter');
  await keys.activate(entry('Login'));
  await keys.expectPage('Login');
  expect(keys.focusProblems).toEqual([]);
});

test('who is signed in finds the dashboard, their name and the way out in the menu', async () => {
  await signInAsNewUser(fixture.page);
  await open('/blogs');
  await opener().tap();
  await entry('Dashboard').waitFor();
  await nav(fixture.page).getByText('Ann Lee', { exact: true }).waitFor();
  await nav(fixture.page).getByRole('button', { name: 'Sign out' }).tap();
  await opener().tap();
  await entry('Login').waitFor();
  expect(await storedToken(fixture.page)).toBeNull();
});

test.each(['light', 'dark'] as const)(
  'open in %s: axe finds nothing, and every entry is large enough',
  async (scheme) => {
    await setDisplay(fixture.page, scheme, PHONE.viewport.width);
    await open('/blogs');
    await opener().tap();
    await entry('Home').waitFor();
    expect(await accessibilityViolations(fixture.page)).toEqual([]);
    expect(await horizontalOverflow(fixture.page)).toBe(0);
    const entries = nav(fixture.page).locator('a:visible, button:visible');
    const small = await entries.evaluateAll((all) =>
      all.filter((one) => one.getBoundingClientRect().height < 44).map(({ textContent }) => textContent),
    );
    expect(small).toEqual([]);
  },
);
