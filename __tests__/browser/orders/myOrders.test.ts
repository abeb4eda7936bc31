import type { Request } from 'playwright-core';
import { APP_MESSAGES } from '../../../src/contract/appMessages';
import { SPEC_MESSAGES } from '../../../src/contract/specMessages';
import { findDisplayProblems } from '../../support/assertions';
import { holdRequests, NETWORK_ERROR } from '../../support/browser';
import { insertUnpricedOrders, fetchOrders, placeOrder, withFreshCustomer } from '../../support/checkout';
import { query } from '../../support/database';
import { expectEventually, waitUntil } from '../../support/wait';
import { shopOrigin } from '../../support/api';

const fixture = withFreshCustomer();

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
  expect(fixture.page.url()).toBe(`${shopOrigin()}/dashboard`);
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
  fixture.visitor.allowedErrors.push(NETWORK_ERROR);
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

/** Orders of each state with the longest names and references, and with several lines of address. */
const insertLongOrders = (email: string) =>
  query(
    `with placed as (
       insert into orders (owner_id, email, client, tool_id, product_name, unit_price, quantity, address, phone,
         reference, state, holds_stock, hold_until, offered, shipped_at, refunded_at)
       select u.id, u.email, 'Ann', t.id, rpad('', 120, 'Ball-peen hammer, '), price, 9990, E'1 Main Street\n\nDock 7\nRockford',
         'p', rpad('', 40, 'PO 4711-'), state, holds, case when holds and state = 'unpaid' then now() + interval '1 day' end,
         offered, shipped, refunded
       from users u, (select id from tools where img like '%.webp' limit 1) t, (values
         (null, 'unpriced', false, false, null, null),
         (95, 'unpaid', false, false, null, null),
         (95, 'unpaid', true, true, null, null),
         (999999, 'paid', true, false, null, null),
         (999999, 'paid', true, false, now(), null),
         (95, 'refunded', false, false, null, now())) v (price, state, holds, offered, shipped, refunded)
       where u.email = $1 returning *),
     paid as (
       insert into payments (intent_id, order_id, amount_cents, currency, invoice)
       select 'pi_' || id, id, 100, 'usd', 'F-' || substr(id::text, 1, 6) from placed where state in ('paid', 'refunded')
       returning *)
     insert into refunds (payment_id, order_id, amount_cents, currency, pieces, reason, state, done_at)
     select intent_id, id, 949900, 'usd', quantity, 'r', 'succeeded', now() from paid, placed
     where id = order_id and state = 'refunded'`,
    [email],
  );

test('on a phone, an order of any state with the longest name has its picture and is at most 200 pixels high', async () => {
  await insertLongOrders(fixture.email);
  await fixture.page.setViewportSize({ width: 390, height: 844 });
  await fixture.page.goto('/dashboard/myorder');
  const rows = fixture.main().locator('[data-row]');
  await expectEventually(() => rows.count(), 6);
  const heights = await rows.evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height));
  expect(Math.max(...heights)).toBeLessThanOrEqual(200);
  expect(await rows.getByText('To 1 Main Street, Dock 7, Rockford').count()).toBe(6);
  for (const picture of await rows.locator('img').all()) {
    await picture.scrollIntoViewIfNeeded();
    await expectEventually(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth > 0), true);
    expect(await picture.evaluate((img: HTMLImageElement) => [img.width, img.height, img.alt])).toEqual([56, 42, '']);
    expect(await picture.evaluate((img: HTMLImageElement) => img.currentSrc)).toMatch(/\/images\/tools\/.*-400\.avif$/);
  }
  expect(await findDisplayProblems(fixture.page, 'orders of each state')).toEqual([]);
});
