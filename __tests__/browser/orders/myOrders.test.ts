import type { Request } from 'playwright-core';
import { APP_MESSAGES } from '../../../src/contract/appMessages';
import { SPEC_MESSAGES } from '../../../src/contract/specMessages';
import { allowError, holdRequests, NETWORK_ERROR } from '../../support/browser';
import { insertUnpricedOrders, fetchOrders, placeOrder, withFreshCustomer } from '../../support/checkout';
import { pathOf } from '../../support/session';
import { expectEventually, waitUntil } from '../../support/wait';
import { openKeyboard } from '../../support/keyboard';

const fixture = withFreshCustomer();

// Clauses A.1.2, A.2.32
test('deleting an order asks for confirmation: Escape keeps the order and the focus, Delete removes it', async () => {
  await fixture.placeUnpricedOrder();
  const deleteButton = fixture.main().getByRole('button', { name: 'Delete' });
  await deleteButton.press('Enter');
  const dialog = fixture.page.getByRole('dialog', { name: SPEC_MESSAGES.areYouSure });
  await dialog.waitFor();
  await fixture.page.keyboard.press('Tab');
  await fixture.page.keyboard.press('Tab');
  expect(
    await dialog.evaluate(
      (element) => element.contains(document.activeElement) || document.activeElement === document.body,
    ),
  ).toBe(true);
  await fixture.page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  await openKeyboard(fixture.page).expectFocus(deleteButton);
  expect(await fetchOrders(fixture.page, fixture.email)).toHaveLength(1);

  await deleteButton.click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await fixture.main().getByText('No orders yet').waitFor();
  await waitUntil(async () => (await fetchOrders(fixture.page, fixture.email)).length === 0);
});

/** Opens the payment page from the dashboard, deletes the order there, and holds the request. */
async function deleteWithHeldRequest() {
  await placeOrder(fixture.page);
  await fixture.page.goto('/dashboard');
  await fixture.page.getByRole('link', { name: 'My Order', exact: true }).click();
  await fixture.page.getByRole('link', { name: 'Pay', exact: true }).click();
  const dialog = fixture.page.getByRole('dialog', { name: SPEC_MESSAGES.areYouSure });
  const heldRequests = await holdRequests(fixture.page, '**/order/*', 'DELETE');
  await fixture.page.getByRole('button', { name: 'Delete this order' }).click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await dialog.locator('[aria-busy=true]').waitFor();
  return { dialog, ...heldRequests };
}

test('a deletion in progress cannot be canceled, and a customer who leaves the page meanwhile remains on the new page', async () => {
  const { dialog, release } = await deleteWithHeldRequest();
  for (const _ of '123') await fixture.page.keyboard.press('Escape');
  await expectEventually(() => dialog.getByRole('button', { name: 'Keep it' }).isDisabled(), true);
  await fixture.page.evaluate(() => history.go(-2));
  await fixture.page.getByRole('heading', { name: 'My Profile' }).waitFor();
  release();
  await waitUntil(async () => (await fetchOrders(fixture.page, fixture.email)).length === 0);
  await fixture.page.waitForTimeout(500);
  expect(pathOf(fixture.page)).toBe('/dashboard');
});

test('when two deletions are in progress, only the first order is shown again if the second succeeds and then the first fails', async () => {
  const remaining = ['Hammer 3', 'Hammer 1'];
  await insertUnpricedOrders(fixture.email, 3);
  await fixture.page.goto('/dashboard/myorder');
  const releases: (() => void)[] = [];
  await fixture.page.route('**/order/*', async (route) => {
    const nth = releases.length;
    await new Promise<void>((resolve) => releases.push(resolve));
    await (remaining.includes(`Hammer ${nth + 1}`) ? route.abort('connectionreset') : route.continue());
  });
  for (const name of ['Hammer 1', 'Hammer 2']) {
    const row = fixture.page.getByRole('row').filter({ hasText: name });
    await row.getByRole('button', { name: 'Delete' }).click();
    await fixture.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await row.waitFor({ state: 'detached' });
  }
  await waitUntil(() => releases.length === 2);
  const productCells = () => fixture.page.locator('[data-label="Product Name"]');
  const readShownNames = () =>
    productCells()
      .getByText(/^Hammer \d$/)
      .allTextContents();
  const isDeletion = (request: Request) => request.method() === 'DELETE';
  for (const nth of [1, 0]) {
    const ended = (['requestfinished', 'requestfailed'] as const).map((event) =>
      fixture.page.waitForEvent(event as 'requestfinished', isDeletion),
    );
    releases[nth]!();
    await Promise.any(ended);
  }
  await expectEventually(
    () => fixture.page.getByText(APP_MESSAGES.offline, { exact: true }).count(),
    remaining.length - 1,
  );
  await expectEventually(readShownNames, remaining);
  expect((await fetchOrders(fixture.page, fixture.email)).map(({ productName }) => productName)).toEqual(remaining);
  allowError(fixture.visitor, NETWORK_ERROR);
});

// Clauses A.2.33, A.9.7, C.3.5
test('My Orders shows 1,000 orders bit by bit while the customer scrolls, and deleting one far down does not scroll to the top', async () => {
  await insertUnpricedOrders(fixture.email, 1_000);
  await fixture.page.goto('/dashboard/myorder');
  await fixture.main().getByText('Hammer 1000', { exact: true }).waitFor();
  expect(await fixture.page.getByRole('row').count()).toBeLessThan(200);
  const row = fixture.page.getByRole('row').filter({ has: fixture.page.getByText('Hammer 800', { exact: true }) });
  await waitUntil(async () => {
    await fixture.page.mouse.wheel(0, 4000);
    return (await row.count()) > 0;
  }, 60_000);
  await row.getByRole('button', { name: 'Delete' }).click();
  const scrollPosition = await fixture.page.evaluate(() => window.scrollY);
  await fixture.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await row.waitFor({ state: 'detached' });
  expect(await fixture.page.evaluate(() => window.scrollY)).toBeGreaterThan(scrollPosition / 2);
  await waitUntil(async () => (await fetchOrders(fixture.page, fixture.email)).length === 999);
});
