import { APP_MESSAGES } from '../../../src/contract/appMessages';
import { SPEC_MESSAGES } from '../../../src/contract/specMessages';
import { shopOrigin } from '../../support/api';
import { allowError, holdRequests, newVisitor, NO_ANSWER, openOwnBrowser } from '../../support/browser';
import { giveOrders, ordersOf, placeOrder, withFreshCustomer } from '../../support/checkout';
import { pathOf, signInAs } from '../../support/session';
import { expectEventually, waitUntil } from '../../support/wait';
import { keyboardOf } from '../../support/keyboard';

const here = withFreshCustomer();

interface Restyled {
  args: { elementCount?: number };
}

async function orderOutOfRange() {
  await here.fillOrder(here.tool.minimumOrderQuantity - 1);
  await here.place().click();
  await here
    .main()
    .getByText(/^We saved this order/)
    .waitFor();
  await here.page.goto('/dashboard/myorder');
}

// Clauses A.1.2, A.2.32
test('"Are you sure?": Escape keeps the order and the focus, Delete removes it', async () => {
  await orderOutOfRange();
  const remove = here.main().getByRole('button', { name: 'Delete' });
  await remove.press('Enter');
  const dialog = here.page.getByRole('dialog', { name: SPEC_MESSAGES.sure });
  await dialog.waitFor();
  await here.page.keyboard.press('Tab');
  await here.page.keyboard.press('Tab');
  expect(
    await dialog.evaluate((box) => box.contains(document.activeElement) || document.activeElement === document.body),
  ).toBe(true);
  await here.page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  await keyboardOf(here.page).isOn(remove);
  expect(await ordersOf(here.page, here.email)).toHaveLength(1);

  await remove.click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await here.main().getByText('No orders yet').waitFor();
  await waitUntil(async () => (await ordersOf(here.page, here.email)).length === 0);
});

test('a delete that does not arrive brings the row back', async () => {
  await orderOutOfRange();
  let drop = () => {};
  const held = new Promise<void>((resolve) => (drop = resolve));
  await here.page.route('**/order/*', (route) => held.then(() => route.abort('connectionreset')));
  await here.main().getByRole('button', { name: 'Delete' }).click();
  await here.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await here.main().getByText('No orders yet').waitFor();
  const list = await holdRequests(here.page, '**/order?*', 'GET');
  drop();
  await waitUntil(() => list.asked() > 0);
  await here.main().getByRole('row').nth(1).waitFor();
  list.letGo();
  await here.toast(APP_MESSAGES.offline);
  await here.page.unroute('**/order/*');
  await here.main().getByRole('button', { name: 'Delete' }).click();
  await here.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await waitUntil(async () => (await ordersOf(here.page, here.email)).length === 0);
  allowError(here.visitor, NO_ANSWER);
});

/** From the dashboard to the payment page, where the order is deleted; the shop takes its time. */
async function deleteSlowly() {
  await placeOrder(here.page);
  await here.page.goto('/dashboard');
  await here.page.getByRole('link', { name: 'My Order', exact: true }).click();
  await here.page.getByRole('link', { name: 'Pay', exact: true }).click();
  const dialog = here.page.getByRole('dialog', { name: SPEC_MESSAGES.sure });
  const slow = await holdRequests(here.page, '**/order/*', 'DELETE');
  await here.page.getByRole('button', { name: 'Delete this order' }).click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await dialog.locator('[aria-busy=true]').waitFor();
  return { dialog, ...slow };
}

test('an order that is being deleted is not kept by a key or a button any more', async () => {
  const { dialog, letGo } = await deleteSlowly();
  for (const _ of '123') await here.page.keyboard.press('Escape');
  await expectEventually(() => dialog.getByRole('button', { name: 'Keep it' }).isDisabled(), true);
  letGo();
  await here.toOrders();
});

test('who leaves before an order is deleted is not led away from where they went', async () => {
  const { letGo } = await deleteSlowly();
  await here.page.evaluate(() => history.go(-2));
  await here.page.getByRole('heading', { name: 'My Profile' }).waitFor();
  letGo();
  await waitUntil(async () => (await ordersOf(here.page, here.email)).length === 0);
  await here.page.waitForTimeout(500);
  expect(pathOf(here.page)).toBe('/dashboard');
});

test.each([
  ['both fail: both orders are there again', [0, 1], ['Hammer 3', 'Hammer 2', 'Hammer 1']],
  ['the second succeeds, then the first fails: the first alone is there again', [1, 0], ['Hammer 3', 'Hammer 1']],
])('of two deletes under way %s', async (_what, answered, left) => {
  await giveOrders(here.email, 3);
  await here.page.goto('/dashboard/myorder');
  const answers: (() => void)[] = [];
  await here.page.route('**/order/*', async (route) => {
    const nth = answers.length;
    await new Promise<void>((resolve) => answers.push(resolve));
    await (left.includes(`Hammer ${nth + 1}`) ? route.abort('connectionreset') : route.continue());
  });
  for (const name of ['Hammer 1', 'Hammer 2']) {
    const row = here.page.getByRole('row').filter({ hasText: name });
    await row.getByRole('button', { name: 'Delete' }).click();
    await here.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await row.waitFor({ state: 'detached' });
  }
  await waitUntil(() => answers.length === 2);
  const shown = () => here.page.locator('[data-label="Product Name"]').allTextContents();
  for (const nth of answered) {
    answers[nth]!();
    await waitUntil(async () => (await shown()).includes('Hammer 1'));
  }
  await expectEventually(() => here.page.getByText(APP_MESSAGES.offline, { exact: true }).count(), left.length - 1);
  await expectEventually(shown, left);
  expect((await ordersOf(here.page, here.email)).map(({ productName }) => productName)).toEqual(left);
  allowError(here.visitor, NO_ANSWER);
});

test('who comes back to My Orders sees what was there at once, and then what is new', async () => {
  const menu = (name: string) => here.page.getByRole('link', { name, exact: true }).click();
  const order = (n: number) => here.main().getByText(`Hammer ${n}`, { exact: true });
  await giveOrders(here.email, 1);
  await here.page.goto('/dashboard/myorder');
  await order(1).waitFor();
  await menu('My Profile');
  await here.page.getByRole('heading', { name: 'My Profile' }).waitFor();
  await giveOrders(here.email, 2);
  const slow = await holdRequests(here.page, '**/order?*', 'GET');
  await menu('My Order');
  await waitUntil(() => slow.asked() > 0);
  await order(1).waitFor();
  slow.letGo();
  await order(2).waitFor();
});

// Clauses A.2.33, A.9.7, C.3.5
test('ten thousand orders: the first are there, more come as one scrolls, and any can be deleted', async () => {
  await giveOrders(here.email, 10_000);
  await here.page.goto('/dashboard/myorder');
  await here.main().getByText('Hammer 10000', { exact: true }).waitFor();
  expect(await here.page.getByRole('row').count()).toBeLessThan(200);
  await waitUntil(async () => {
    await here.page.mouse.wheel(0, 4000);
    return (await here.page.getByRole('row').count()) > 400;
  }, 60_000);
  const row = here.page.getByRole('row').filter({ has: here.page.getByText('Hammer 9700', { exact: true }) });
  await row.getByRole('button', { name: 'Delete' }).click();
  const height = await here.page.evaluate(() => window.scrollY);
  await here.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await row.waitFor({ state: 'detached' });
  expect(await here.page.evaluate(() => window.scrollY)).toBeGreaterThan(height / 2);
  await waitUntil(async () => (await ordersOf(here.page, here.email)).length === 9_999);
});

test('a dialog over many rows restyles those in sight alone', async () => {
  const rows = 400;
  await giveOrders(here.email, rows);
  // Whoever traces a page traces all that its browser draws.
  const own = await openOwnBrowser();
  here.page = (await newVisitor(own, shopOrigin())).page;
  await signInAs(here.page, here.email);
  await here.page.goto('/dashboard/myorder');
  await here.main().getByRole('button', { name: 'Delete' }).first().waitFor();
  await waitUntil(async () => {
    await here.page.mouse.wheel(0, 4000);
    return (await here.page.getByRole('row').count()) > rows;
  });
  await own.startTracing(here.page, { categories: ['devtools.timeline'] });
  await here.main().getByRole('button', { name: 'Delete' }).last().click();
  await here.page.getByRole('dialog').waitFor();
  const { traceEvents } = JSON.parse(String(await own.stopTracing())) as { traceEvents: Restyled[] };
  const restyled = traceEvents.map(({ args }) => args.elementCount ?? 0);
  expect(Math.max(...restyled)).toBeGreaterThan(10);
  expect(Math.max(...restyled)).toBeLessThan(2 * rows);
  await own.close();
});

test('a list grows although a busy page hears late, and at once, that its end was far and is near', async () => {
  await here.visitor.context.addInitScript(() => {
    window.IntersectionObserver = class extends IntersectionObserver {
      constructor(tell: IntersectionObserverCallback, options?: IntersectionObserverInit) {
        const held: IntersectionObserverEntry[] = [];
        const tellAll = () => tell(held.splice(0), this);
        super((entries) => void (held.push(...entries) === entries.length && setTimeout(tellAll, 1000)), options);
      }
    };
  });
  await giveOrders(here.email, 150);
  await here.page.goto('/dashboard/myorder');
  await here.page.getByRole('row').nth(100).waitFor();
  await here.page.waitForTimeout(200);
  await here.page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
  await here.page.getByRole('row').nth(150).waitFor();
});
