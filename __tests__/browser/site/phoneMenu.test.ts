import { shopOrigin } from '../../support/api';
import { accessibilityViolations, look, overflow } from '../../support/assertions';
import { eachWithAVisitor, PHONE, storedToken } from '../../support/browser';
import { isAt, nav, signInAsNewUser, waitUntilInteractive } from '../../support/session';
import { keyboardOf } from '../../support/keyboard';

const stage = eachWithAVisitor(shopOrigin, PHONE);
const opener = () => nav(stage.page).getByRole('button', { name: 'Menu', exact: true });
const opened = () => nav(stage.page).locator('button[aria-expanded=true]').waitFor();
const entry = (name: string) => nav(stage.page).getByRole('link', { name, exact: true });

async function open(path: string) {
  await stage.page.goto(path);
  await waitUntilInteractive(stage.page);
  expect(await entry('Home').isVisible()).toBe(false);
}

test('a finger opens the menu, and it is shut again on the page that one goes to', async () => {
  await open('/');
  await opener().tap();
  await opened();
  await entry('About').tap();
  await isAt(stage.page, '/about');
  await entry('About').waitFor({ state: 'hidden' });
  expect(await opener().getAttribute('aria-expanded')).toBe('false');
});

test('by keyboard the menu opens, Escape shuts it, and the focus is on its button again', async () => {
  await open('/blogs');
  const keys = keyboardOf(stage.page);
  await keys.choose(opener());
  await opened();
  await keys.to(entry('About'));
  await keys.press('Escape');
  await entry('About').waitFor({ state: 'hidden' });
  await keys.isOn(opener());
  await keys.press('Enter');
  await keys.choose(entry('Login'));
  await keys.arrivesAt('Login');
  expect(keys.unseenStops).toEqual([]);
});

test('who is signed in finds the dashboard, their name and the way out in the menu', async () => {
  await signInAsNewUser(stage.page);
  await open('/blogs');
  await opener().tap();
  await entry('Dashboard').waitFor();
  await nav(stage.page).getByText('Ann Lee', { exact: true }).waitFor();
  await nav(stage.page).getByRole('button', { name: 'Sign out' }).tap();
  await opener().tap();
  await entry('Login').waitFor();
  expect(await storedToken(stage.page)).toBeNull();
});

test.each(['light', 'dark'] as const)(
  'open in %s: axe finds nothing, and every entry is large enough',
  async (scheme) => {
    await look(stage.page, scheme, PHONE.viewport.width);
    await open('/blogs');
    await opener().tap();
    await entry('Home').waitFor();
    expect(await accessibilityViolations(stage.page)).toEqual([]);
    expect(await overflow(stage.page)).toBe(0);
    const entries = nav(stage.page).locator('a:visible, button:visible');
    const small = await entries.evaluateAll((all) =>
      all.filter((one) => one.getBoundingClientRect().height < 44).map(({ textContent }) => textContent),
    );
    expect(small).toEqual([]);
  },
);
