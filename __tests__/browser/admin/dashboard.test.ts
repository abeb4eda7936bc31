import { randomUUID } from 'node:crypto';
import { SPEC_MESSAGES } from '../../../src/contract/specMessages';
import { PAGE_MESSAGES } from '../../../src/contract/pageMessages';
import { shopOrigin } from '../../support/api';
import { browserFixture, focusWindow, newVisitor, PHONE, scrollUntilPresent } from '../../support/browser';
import { isAt, menuOf, signInAsDemoUser, signInAsNewUser, waitUntilInteractive } from '../../support/session';
import { query } from '../../support/database';
import { expectEventually } from '../../support/wait';
import { keyboardOf } from '../../support/keyboard';

const fixture = browserFixture();
const main = () => fixture.page.getByRole('main');
const toast = (text: string) => fixture.page.getByText(text, { exact: true }).last().waitFor();

/** Somebody else with a browser of their own. */
async function somebodyElse() {
  const other = await newVisitor(fixture.browser, shopOrigin());
  return { ...other, leave: () => other.context.close() };
}

test('the profile is kept over a reload before it is saved, and after', async () => {
  const { page } = fixture;
  await signInAsNewUser(page);
  await page.goto('/dashboard');
  await main().locator('[name=address]').fill('18 Foundry Row');
  await main().locator('[name=phone]').fill('555 0142');
  await page.reload();
  await expectEventually(() => main().locator('[name=address]').inputValue(), '18 Foundry Row');
  await main().locator('[name=linkedIn]').fill('linkedin.example/ann');
  await page.keyboard.press('Enter');
  await toast(SPEC_MESSAGES.profileSaved);
  await page.evaluate(() => sessionStorage.clear());
  await page.reload();
  await expectEventually(() => main().locator('[name=linkedIn]').inputValue(), 'https://linkedin.example/ann');
});

// Clauses A.4.9, A.6.4, A.6.5, C.2.13
test('a promoted customer has the admin menu on the next focus, without signing in again', async () => {
  const { page } = fixture;
  const email = await signInAsNewUser(page);
  await page.goto('/dashboard');
  await page.getByRole('link', { name: 'Add review' }).waitFor();
  expect(await menuOf(page)).toEqual(['My Profile', 'My Order', 'Add review']);

  const admin = await somebodyElse();
  await signInAsDemoUser(admin.page, 'admin');
  await admin.page.goto('/dashboard/allusers');
  await admin.page.getByLabel('Find by email').fill(email);
  await admin.page.getByText(/^1 of \d+ users$/).waitFor();
  const button = admin.page.getByRole('row', { name: email }).getByRole('button', { name: /^Make Admin/ });
  const keys = keyboardOf(admin.page);
  await button.focus();
  await admin.page.keyboard.press('Enter');
  await admin.page.getByRole('dialog', { name: SPEC_MESSAGES.sure }).waitFor();
  await admin.page.keyboard.press('Escape');
  await admin.page.getByRole('dialog').waitFor({ state: 'hidden' });
  await keys.isOn(button);
  await admin.page.keyboard.press('Enter');
  await admin.page.getByRole('dialog').getByRole('button', { name: 'Make Admin' }).press('Enter');
  await admin.page.getByText(SPEC_MESSAGES.adminMade).waitFor();
  await button.waitFor({ state: 'detached' });
  await keys.isOn(admin.page.getByRole('heading', { level: 1 }));
  expect(admin.troubles).toEqual([]);
  await admin.leave();

  await focusWindow(page);
  await page.getByRole('link', { name: 'All Users' }).waitFor();
  expect(await menuOf(page)).toEqual(['My Profile', 'All Users', 'Add Product', 'Manage All Orders']);
  await page.getByRole('link', { name: 'Manage All Orders' }).click();
  await main()
    .getByText(/orders? so far/)
    .waitFor();
});

// Clauses A.6.4, C.2.13
test('a demoted admin is out on the next focus', async () => {
  const { page } = fixture;
  const email = await signInAsNewUser(page);
  await query(`update users set role = 'admin' where email = $1`, [email]);
  await page.goto('/dashboard/manageallorders');
  await main()
    .getByText(/orders? so far/)
    .waitFor();
  await query(`update users set role = 'member' where email = $1`, [email]);
  await focusWindow(page);
  await isAt(page, '/login');
});

// Clauses A.2.9, A.4.5
test.each(['allusers', 'manageallorders'])('a customer who types /dashboard/%s lands on /login', async (room) => {
  const { page } = fixture;
  await signInAsNewUser(page);
  await page.goto(`/dashboard/${room}`);
  await isAt(page, '/login');
  await main().getByText(PAGE_MESSAGES.needsAdmin).waitFor();
});

// Clause A.9.12
test('a new tool is in the shop at once, and in another open browser on its next focus', async () => {
  const { page } = fixture;
  const customer = await somebodyElse();
  await customer.page.goto('/');
  await waitUntilInteractive(customer.page);
  await customer.page.waitForLoadState('networkidle');
  await signInAsDemoUser(page, 'admin');
  await page.goto('/dashboard/addproduct');
  const name = `Bench hammer ${randomUUID()}`;
  const fields = { name, price: '42', minimumOrderQuantity: '20', availableQuantity: '120' };
  for (const [field, text] of Object.entries({ ...fields, description: 'New.', img: '/images/tools/claw-hammer.svg' }))
    await main().locator(`[name=${field}]`).fill(text);
  await main().getByRole('button', { name: 'Add Product' }).click();
  await toast(SPEC_MESSAGES.toolAdded);
  expect(await customer.page.getByRole('heading', { name }).count()).toBe(0);
  await focusWindow(customer.page);
  await scrollUntilPresent(customer.page.getByRole('heading', { name }));
  await customer.leave();
});

// Clauses A.2.34, C.16.2
test('Remove User answers a click where one looks, however far down, and nothing is asked of the server', async () => {
  const { page, visitor } = fixture;
  await signInAsDemoUser(page, 'admin');
  await page.goto('/dashboard/allusers');
  const button = page
    .getByRole('row', { name: 'customer@forgeline.example' })
    .getByRole('button', { name: 'Remove User' });
  await button.waitFor();
  const before = visitor.requests.length;
  await button.click();
  await page.getByText(`${PAGE_MESSAGES.removeUserClosed} customer@forgeline.example stays.`).waitFor();
  expect(visitor.requests.slice(before).filter((url) => url.includes('/user'))).toEqual([]);
});

// Clause A.2.27
test('the email is the tooltip of the user icon: on hover, on focus and on touch', async () => {
  const { page } = fixture;
  const email = await signInAsNewUser(page);
  await page.goto('/dashboard');
  const [icon, tip] = [page.getByRole('button', { name: 'Your account' }), page.getByRole('tooltip')];
  expect(await tip.isVisible()).toBe(false);
  await icon.hover();
  await tip.filter({ hasText: email }).waitFor();
  await page.mouse.move(0, 500);
  await tip.waitFor({ state: 'hidden' });
  await keyboardOf(page).to(icon);
  await tip.waitFor();
  await page.keyboard.press('Escape');
  await tip.waitFor({ state: 'hidden' });
  await keyboardOf(page).isOn(icon);

  const storageState = await fixture.visitor.context.storageState();
  const { context: phone, page: touched } = await newVisitor(fixture.browser, shopOrigin(), { ...PHONE, storageState });
  await touched.goto('/dashboard');
  await touched.getByRole('button', { name: 'Your account' }).tap();
  await touched.getByRole('tooltip').filter({ hasText: email }).waitFor();
  await phone.close();
});

test.each([1280, 400])('%i wide: the tooltip stays on the way to it and on it, and goes by Escape', async (width) => {
  const { page } = fixture;
  await page.setViewportSize({ width, height: 720 });
  const email = await signInAsNewUser(page);
  await page.goto('/dashboard');
  const [icon, tip] = [page.getByRole('button', { name: 'Your account' }), page.getByRole('tooltip')];
  const middle = async (of: typeof icon) => {
    const { x, y, width: wide, height } = (await of.boundingBox())!;
    return [x + Math.min(wide, 44) / 2, y + height / 2] as const;
  };
  await icon.hover();
  await tip.filter({ hasText: email }).waitFor();
  await page.mouse.move(...(await middle(tip)), { steps: 40 });
  await page.waitForTimeout(300);
  expect(await tip.isVisible()).toBe(true);
  await page.keyboard.press('Escape');
  await tip.waitFor({ state: 'hidden' });
  await page.mouse.move(0, 500);
  await icon.hover();
  await tip.waitFor();
});
