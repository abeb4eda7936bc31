import { randomUUID } from 'node:crypto';
import { SPEC_MESSAGES } from '../../../src/contract/specMessages';
import { PAGE_MESSAGES } from '../../../src/contract/pageMessages';
import { shopOrigin } from '../../support/api';
import { browserFixture, dispatchWindowFocus, newVisitor, PHONE, scrollUntilPresent } from '../../support/browser';
import {
  waitForPath,
  dashboardMenuOf,
  signInAsDemoUser,
  signInAsNewUser,
  waitUntilInteractive,
} from '../../support/session';
import { query } from '../../support/database';
import { expectEventually } from '../../support/wait';
import { openKeyboard } from '../../support/keyboard';

const fixture = browserFixture();
const main = () => fixture.page.getByRole('main');
const waitForToast = (text: string) => fixture.page.getByText(text, { exact: true }).last().waitFor();

/** Opens a second browser context, for another user. */
async function openOtherVisitor() {
  const other = await newVisitor(fixture.browser, shopOrigin());
  return { ...other, close: () => other.context.close() };
}

test('the profile form keeps its values after a reload, whether they have been saved or not', async () => {
  const { page } = fixture;
  await signInAsNewUser(page);
  await page.goto('/dashboard');
  await main().locator('[name=address]').fill('18 Foundry Row');
  await main().locator('[name=phone]').fill('555 0142');
  await page.reload();
  await expectEventually(() => main().locator('[name=address]').inputValue(), '18 Foundry Row');
  await main().locator('[name=linkedIn]').fill('linkedin.example/ann');
  await page.keyboard.press('Enter');
  await waitForToast(SPEC_MESSAGES.profileSaved);
  await page.evaluate(() => sessionStorage.clear());
  await page.reload();
  await expectEventually(() => main().locator('[name=linkedIn]').inputValue(), 'https://linkedin.example/ann');
});

// Clauses A.4.9, A.6.4, A.6.5, C.2.13
test('a promoted customer sees the admin menu once the window regains focus, without signing in again', async () => {
  const { page } = fixture;
  const email = await signInAsNewUser(page);
  await page.goto('/dashboard');
  await page.getByRole('link', { name: 'Add review' }).waitFor();
  expect(await dashboardMenuOf(page)).toEqual(['My Profile', 'My Order', 'Add review']);

  const admin = await openOtherVisitor();
  await signInAsDemoUser(admin.page, 'admin');
  await admin.page.goto('/dashboard/allusers');
  await admin.page.getByLabel('Find by email').fill(email);
  await admin.page.getByText(/^1 of \d+ users$/).waitFor();
  const button = admin.page.getByRole('row', { name: email }).getByRole('button', { name: /^Make Admin/ });
  const keys = openKeyboard(admin.page);
  await button.focus();
  await admin.page.keyboard.press('Enter');
  await admin.page.getByRole('dialog', { name: SPEC_MESSAGES.areYouSure }).waitFor();
  await admin.page.keyboard.press('Escape');
  await admin.page.getByRole('dialog').waitFor({ state: 'hidden' });
  await keys.expectFocus(button);
  await admin.page.keyboard.press('Enter');
  await admin.page.getByRole('dialog').getByRole('button', { name: 'Make Admin' }).press('Enter');
  await admin.page.getByText(SPEC_MESSAGES.adminMade).waitFor();
  await button.waitFor({ state: 'detached' });
  await keys.expectFocus(admin.page.getByRole('heading', { level: 1 }));
  expect(admin.errors).toEqual([]);
  await admin.close();

  await dispatchWindowFocus(page);
  await page.getByRole('link', { name: 'All Users' }).waitFor();
  expect(await dashboardMenuOf(page)).toEqual(['My Profile', 'All Users', 'Add Product', 'Manage All Orders']);
  await page.getByRole('link', { name: 'Manage All Orders' }).click();
  await main()
    .getByText(/orders? so far/)
    .waitFor();
});

// Clauses A.6.4, C.2.13
test('a demoted admin is redirected from an admin page to /login once the window regains focus', async () => {
  const { page } = fixture;
  const email = await signInAsNewUser(page);
  await query(`update users set role = 'admin' where email = $1`, [email]);
  await page.goto('/dashboard/manageallorders');
  await main()
    .getByText(/orders? so far/)
    .waitFor();
  await query(`update users set role = 'member' where email = $1`, [email]);
  await dispatchWindowFocus(page);
  await waitForPath(page, '/login');
});

// Clauses A.2.9, A.4.5
test.each(['allusers', 'manageallorders'])('a customer is redirected from /dashboard/%s to /login', async (path) => {
  const { page } = fixture;
  await signInAsNewUser(page);
  await page.goto(`/dashboard/${path}`);
  await waitForPath(page, '/login');
  await main().getByText(PAGE_MESSAGES.adminsOnly).waitFor();
});

// Clause A.9.12
test('a new tool appears in another open browser once its window regains focus', async () => {
  const { page } = fixture;
  const customer = await openOtherVisitor();
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
  await waitForToast(SPEC_MESSAGES.toolAdded);
  expect(await customer.page.getByRole('heading', { name }).count()).toBe(0);
  await dispatchWindowFocus(customer.page);
  await scrollUntilPresent(customer.page.getByRole('heading', { name }));
  await customer.close();
});

// Clauses A.2.34, C.16.2
test('the Remove User button removes nobody: it shows a note and sends no request', async () => {
  const { page, visitor } = fixture;
  await signInAsDemoUser(page, 'admin');
  await page.goto('/dashboard/allusers');
  const button = page
    .getByRole('row', { name: 'customer@forgeline.example' })
    .getByRole('button', { name: 'Remove User' });
  await button.waitFor();
  const requestsBefore = visitor.requests.length;
  await button.click();
  await page.getByText(`${PAGE_MESSAGES.removeUserUnavailable} customer@forgeline.example was not removed.`).waitFor();
  expect(visitor.requests.slice(requestsBefore).filter((url) => url.includes('/user'))).toEqual([]);
});

// Clause A.2.27
test('the user icon shows the email as a tooltip on hover, on focus and on touch', async () => {
  const { page } = fixture;
  const email = await signInAsNewUser(page);
  await page.goto('/dashboard');
  const [icon, tooltip] = [page.getByRole('button', { name: 'Your account' }), page.getByRole('tooltip')];
  expect(await tooltip.isVisible()).toBe(false);
  await icon.hover();
  await tooltip.filter({ hasText: email }).waitFor();
  await page.mouse.move(0, 500);
  await tooltip.waitFor({ state: 'hidden' });
  await openKeyboard(page).tabTo(icon);
  await tooltip.waitFor();
  await page.keyboard.press('Escape');
  await tooltip.waitFor({ state: 'hidden' });
  await openKeyboard(page).expectFocus(icon);

  const storageState = await fixture.visitor.context.storageState();
  const { context: phone, page: phonePage } = await newVisitor(fixture.browser, shopOrigin(), {
    ...PHONE,
    storageState,
  });
  await phonePage.goto('/dashboard');
  await phonePage.getByRole('button', { name: 'Your account' }).tap();
  await phonePage.getByRole('tooltip').filter({ hasText: email }).waitFor();
  await phone.close();
});

test.each([1280, 400])(
  'at a width of %i pixels the email tooltip stays open while the pointer moves onto it, and Escape closes it',
  async (width) => {
    const { page } = fixture;
    await page.setViewportSize({ width, height: 720 });
    const email = await signInAsNewUser(page);
    await page.goto('/dashboard');
    const [icon, tooltip] = [page.getByRole('button', { name: 'Your account' }), page.getByRole('tooltip')];
    const middle = async (locator: typeof icon) => {
      const { x, y, width: boxWidth, height } = (await locator.boundingBox())!;
      return [x + Math.min(boxWidth, 44) / 2, y + height / 2] as const;
    };
    await icon.hover();
    await tooltip.filter({ hasText: email }).waitFor();
    await page.mouse.move(...(await middle(tooltip)), { steps: 40 });
    await page.waitForTimeout(300);
    expect(await tooltip.isVisible()).toBe(true);
    await page.keyboard.press('Escape');
    await tooltip.waitFor({ state: 'hidden' });
    await page.mouse.move(0, 500);
    await icon.hover();
    await tooltip.waitFor();
  },
);
