import { PAGE_MESSAGES } from '../../../src/contract/pageMessages';
import { SPEC_MESSAGES } from '../../../src/contract/specMessages';
import { shopOrigin } from '../../support/api';
import { waitForToast } from '../../support/assertions';
import { PHONE } from '../../support/browser';
import { withFreshCustomer } from '../../support/checkout';
import { waitForPath, waitUntilInteractive } from '../../support/session';
import { expectEventually } from '../../support/wait';

const fixture = withFreshCustomer();
const toasts = () => fixture.page.locator('.Toastify__toast');

async function placeOrderAndHoldToast() {
  await fixture.fillOrder(fixture.tool.minimumOrderQuantity);
  await fixture.placeOrderButton().click();
  await fixture.waitForMyOrders();
  await waitForToast(fixture.page, SPEC_MESSAGES.orderPlaced);
  // The pointer on a toast stops its timer, so that only what the test does next can close it.
  await toasts().hover();
}

// Clause A.9.2
test('the toast about placing an order stays on the payment page, and deleting the order replaces it', async () => {
  await placeOrderAndHoldToast();
  await fixture.main().getByRole('link', { name: 'Pay', exact: true }).press('Enter');
  await fixture.main().getByRole('button', { name: 'Delete this order' }).waitFor();
  expect(await toasts().allInnerTexts()).toEqual([SPEC_MESSAGES.orderPlaced]);
  await fixture.main().getByRole('button', { name: 'Delete this order' }).press('Enter');
  await fixture.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).press('Enter');
  await waitForToast(fixture.page, PAGE_MESSAGES.orderDeleted);
  await waitForPath(fixture.page, '/dashboard/myorder');
  await expectEventually(() => toasts().allInnerTexts(), [PAGE_MESSAGES.orderDeleted]);
});

/** So narrow that the dashboard's menu has two rows. */
const SMALL_PHONE = { ...PHONE.viewport, width: 320 };

async function expectBelowMenus() {
  const { y: top } = (await toasts().boundingBox())!;
  for (const menu of ['Main', 'Dashboard']) {
    const { y, height } = (await fixture.page.getByRole('navigation', { name: menu }).boundingBox())!;
    expect([menu, top >= y + height]).toEqual([menu, true]);
  }
}

test('on phones only one toast is shown, and it covers neither the site menu nor the dashboard menu', async () => {
  const { page } = fixture;
  await page.setViewportSize(SMALL_PHONE);
  await page.goto(`${shopOrigin()}/dashboard`);
  await waitUntilInteractive(page);
  const save = async () => {
    await page.getByLabel('Address').fill('18 Foundry Row');
    await page.getByLabel('Phone').fill('555 0142');
    await page.getByLabel('LinkedIn').fill('https://linkedin.example/ann');
    await fixture.main().getByRole('button', { name: 'Save', exact: true }).press('Enter');
  };
  await save();
  await waitForToast(page, SPEC_MESSAGES.profileSaved);
  // Polled, because the toast slides in from outside the screen. Its text may take two lines.
  const fitsScreen = async () => {
    const { x, width, height } = (await toasts().boundingBox())!;
    return [x >= 0, x + width <= SMALL_PHONE.width, height <= 72];
  };
  await expectEventually(fitsScreen, [true, true, true]);
  await expectBelowMenus();
  await save();
  await expectEventually(() => toasts().count(), 1);
});
