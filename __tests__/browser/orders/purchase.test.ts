import { setTimeout as sleep } from 'node:timers/promises';
import { SPEC_MESSAGES } from '../../../src/contract/specMessages';
import { PAGE_MESSAGES } from '../../../src/contract/pageMessages';
import { unpricedNotice } from '../../../src/contract/unpricedNotice';
import { allowError, fill, focusWindow, NO_ANSWER, scrollUntilPresent } from '../../support/browser';
import { ordersOf, withFreshCustomer } from '../../support/checkout';
import { endSessions, logIn } from '../../support/session';
import { listTools, newTool, setPrice, setStock } from '../../support/tools';
import { expectEventually, waitUntil } from '../../support/wait';

const here = withFreshCustomer();
const outOfRange = (quantity: number, min: number, max: number) =>
  unpricedNotice({ reason: 'range', min, max }, quantity);

// Clauses A.1.2, A.2.7, A.2.30, A.2.31, A.2.37, A.8.5, C.6.13
test('the form says who and what, counts the total, and an order in range leads to My Orders', async () => {
  await here.fillOrder(here.tool.minimumOrderQuantity);
  for (const [label, value] of [
    ['Name', 'Ann Lee'],
    ['Email', here.email],
    ['Product name', here.tool.name],
  ] as const) {
    const field = here.main().getByLabel(label, { exact: true });
    expect([await field.inputValue(), await field.isEditable()]).toEqual([value, false]);
  }
  await here
    .main()
    .getByText(`$ ${here.tool.price * here.tool.minimumOrderQuantity}`, { exact: true })
    .waitFor();
  await here.place().click();
  await here.toOrders();
  await here.toast(SPEC_MESSAGES.orderPlaced);
  await here.page.getByRole('link', { name: 'Pay', exact: true }).waitFor();
  const cells = await here.page.getByRole('row').nth(1).getByRole('cell').allTextContents();
  expect(cells).toEqual(['1', here.tool.name, `$ ${here.tool.price}`, String(here.tool.minimumOrderQuantity), 'Pay']);
  const [order] = await ordersOf(here.page, here.email);
  const pay = here.page.getByRole('link', { name: 'Pay', exact: true });
  expect(await pay.getAttribute('href')).toBe(`/dashboard/payment/${order!._id}`);
});

// Clauses A.5.5, A.5.6, A.8.5, C.6.12, C.6.14
test('out of range one is warned while typing and offered what fits; the order is sent all the same', async () => {
  await here.ownTool();
  await here.fillOrder(here.tool.minimumOrderQuantity - 1);
  const warning = here.main().getByText(SPEC_MESSAGES.quantityRange, { exact: true });
  await warning.waitFor();
  expect(await ordersOf(here.page, here.email)).toEqual([]);
  await here.place().click();
  await here.toast(SPEC_MESSAGES.orderPlaced);
  const least = here.tool.minimumOrderQuantity;
  await here
    .main()
    .getByText(outOfRange(least - 1, least, here.tool.availableQuantity / 2))
    .waitFor();
  expect(new URL(here.page.url()).pathname).toBe(`/purchase/${here.tool._id}`);
  expect((await ordersOf(here.page, here.email)).map(({ price }) => price)).toEqual([null]);

  await here
    .main()
    .getByRole('button', { name: `Order ${here.tool.minimumOrderQuantity} instead` })
    .click();
  await warning.waitFor({ state: 'detached' });
  await here.place().click();
  await here.toOrders();
  expect((await ordersOf(here.page, here.email)).map(({ price }) => price)).toEqual([here.tool.price, null]);
});

// Clause C.6.14
test('the notice says what could be ordered when the order was placed, also when that changes', async () => {
  await here.ownTool();
  const why = here.main().getByText(/^We saved this order/);
  const least = here.tool.minimumOrderQuantity;
  await here.fillOrder(60);
  await setStock(here.tool._id, 50);
  await here.page.route(`**/tool/${here.tool._id}`, async (route) => {
    await sleep(500);
    // The page may be closed by then.
    await route.continue().catch(() => undefined);
  });
  await here.place().click();
  await why.waitFor();
  expect(await why.textContent()).toBe(outOfRange(60, least, 50));
  await setStock(here.tool._id, 640);
  await focusWindow(here.page);
  await here.main().getByText('640 piece', { exact: true }).waitFor();
  expect(await why.textContent()).toBe(outOfRange(60, least, 50));
});

test('the notice is the same when the tool cannot be read again', async () => {
  await here.ownTool();
  await here.fillOrder(here.tool.minimumOrderQuantity - 1);
  await here.page.route(`**/tool/${here.tool._id}`, (route) => route.fulfill({ status: 403, json: {} }));
  await here.place().click();
  const least = here.tool.minimumOrderQuantity;
  await here
    .main()
    .getByText(outOfRange(least - 1, least, 320))
    .waitFor();
});

// Clause C.6.14
test('the notice offers no more than can be charged at once', async () => {
  await here.ownTool();
  await setPrice(here.tool._id, 20_000);
  await waitUntil(async () => (await listTools()).some(({ _id, price }) => _id === here.tool._id && price === 20_000));
  await here.fillOrder(50);
  await here.place().click();
  await here
    .main()
    .getByText(outOfRange(50, here.tool.minimumOrderQuantity, 49))
    .waitFor();
});

// Clause A.5.4
test('what is missing or no whole number is told at its field, and nothing is sent', async () => {
  await here.page.goto(`/purchase/${here.tool._id}`);
  await here.place().click();
  const alerts = () => here.main().getByRole('alert').allTextContents();
  await expectEventually(alerts, ['Address is required', 'Phone is required', 'Quantity is required']);
  await fill(here.page, { Address: 'a', Phone: 'p', Quantity: '1.5' });
  await here.place().click();
  await expectEventually(alerts, [PAGE_MESSAGES.wholeNumber]);
  expect(await ordersOf(here.page, here.email)).toEqual([]);
});

// Clause C.6.15
test('the network drops after the order has arrived: sent again after a reload it is still one order', async () => {
  await here.fillOrder(here.tool.minimumOrderQuantity);
  await here.page.route('**/order', async (route) => {
    await route.fetch();
    await route.abort('connectionreset');
  });
  await here.place().click();
  await here.main().getByText(PAGE_MESSAGES.orderUnanswered).waitFor();
  await here.page.unroute('**/order');
  await here.page.reload();
  await expectEventually(() => here.main().getByLabel('Address').inputValue(), '18 Foundry Row');
  await here.place().click();
  await here.toOrders();
  expect(await ordersOf(here.page, here.email)).toHaveLength(1);
  allowError(here.visitor, NO_ANSWER);
});

// Clause A.2.7
test('the session ends while one types: after login the form is as it was', async () => {
  await here.fillOrder(here.tool.minimumOrderQuantity);
  await endSessions(here.email);
  await here.place().click();
  await here.page.waitForURL((url) => url.pathname === '/login');
  await logIn(here.page, here.email);
  await here.page.waitForURL((url) => url.pathname === `/purchase/${here.tool._id}`);
  await expectEventually(() => here.main().getByLabel('Phone').inputValue(), '555 0142');
  await here.place().click();
  await here.toOrders();
});

// Clause C.6.3
test('a price that changed is shown, and ordered at only when one says so', async () => {
  await here.ownTool();
  await here.fillOrder(here.tool.minimumOrderQuantity);
  await setPrice(here.tool._id, 99);
  await here.place().click();
  await here.main().getByText('The price is now $ 99 a piece.').waitFor();
  await here
    .main()
    .getByText(`$ ${99 * here.tool.minimumOrderQuantity}`, { exact: true })
    .waitFor();
  expect(await ordersOf(here.page, here.email)).toEqual([]);
  await here.main().getByRole('button', { name: 'Order at $ 99 a piece' }).click();
  await here.toOrders();
  expect((await ordersOf(here.page, here.email)).map(({ price }) => price)).toEqual([99]);
});

// Clause A.2.8
test('an unknown tool is the picture of not found', async () => {
  await here.page.goto('/purchase/no-such-tool');
  await here
    .main()
    .getByRole('img', { name: /not found/ })
    .waitFor();
});

test('gone back to in history, a tool that does not load is not shown as the one that was left', async () => {
  const gone = await newTool();
  const path = `**/tool/${gone._id}`;
  const refusal = { code: 'forbidden', status: 403, detail: 'Not now.' };
  await here.page.route(path, (route) => route.fulfill({ status: 403, json: refusal }));
  await here.page.goto(`/purchase/${gone._id}`);
  await here.main().getByText('Not now.').waitFor();
  await here.page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Home' }).click();
  const card = here.page.getByRole('listitem').filter({ hasText: here.tool.name });
  await scrollUntilPresent(card);
  await card.getByRole('link', { name: 'Purchase' }).click();
  await here.main().getByRole('heading', { name: here.tool.name, level: 1 }).waitFor();
  await here.page.evaluate(() => history.go(-2));
  await here.page.waitForURL(path.replace('tool', 'purchase'));
  await here.main().getByText('Not now.').waitFor();
  expect(await here.main().getByText(here.tool.name).count()).toBe(0);
  await here.page.unroute(path);
  await here.main().getByRole('button', { name: 'Try again' }).click();
  await here.main().getByRole('heading', { name: gone.name, level: 1 }).waitFor();
});

test('on a phone the orders are cards, nothing is wider than the screen, and targets are big enough', async () => {
  const phone = { width: 360, height: 740 };
  await here.page.setViewportSize(phone);
  await here.fillOrder(here.tool.minimumOrderQuantity - 1);
  const width = () => here.page.evaluate(() => document.documentElement.scrollWidth);
  expect(await width()).toBe(phone.width);
  await here
    .main()
    .getByRole('button', { name: /instead/ })
    .click();
  await here.place().click();
  await here.toOrders();
  const pay = here.page.getByRole('link', { name: 'Pay', exact: true });
  expect((await pay.boundingBox())!.height).toBeGreaterThanOrEqual(44);
  expect(await width()).toBe(phone.width);
});
