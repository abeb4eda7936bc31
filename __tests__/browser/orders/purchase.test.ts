import { formatWithCommas } from '../../../src/contract/formatWithCommas';
import { orderNumber } from '../../../src/contract/orderNumber';
import { SPEC_MESSAGES } from '../../../src/contract/specMessages';
import { createUnpricedNotice } from '../../../src/contract/unpricedNotice';
import { dispatchWindowFocus, holdRequests, scrollUntilPresent } from '../../support/browser';
import { fetchOrders, withFreshCustomer } from '../../support/checkout';
import { waitUntilInteractive } from '../../support/session';
import { newTool, setStock, changeTool } from '../../support/tools';
import { waitForToast } from '../../support/assertions';

const fixture = withFreshCustomer();
const outOfRange = (quantity: number, min: number, max: number) =>
  createUnpricedNotice({ reason: 'range', min, max }, quantity);

// Clauses A.1.2, A.2.7, A.2.30, A.2.31, A.2.37, A.8.5, C.6.13
test('the purchase form shows customer, tool and total, and placing an order leads to My Orders', async () => {
  await fixture.fillOrder(fixture.tool.minimumOrderQuantity);
  for (const [label, value] of [
    ['Name', 'Ann Lee'],
    ['Email', fixture.email],
    ['Product name', fixture.tool.name],
  ] as const) {
    const field = fixture.main().getByLabel(label, { exact: true });
    expect([await field.inputValue(), await field.isEditable()]).toEqual([value, false]);
  }
  await fixture
    .main()
    .getByText(`$${fixture.tool.price * fixture.tool.minimumOrderQuantity}`, { exact: true })
    .waitFor();
  await fixture.placeOrderButton().click();
  await fixture.waitForMyOrders();
  await waitForToast(fixture.page, SPEC_MESSAGES.orderPlaced);
  await fixture.page.getByRole('link', { name: 'Pay', exact: true }).waitFor();
  const cells = await fixture.page.getByRole('row').nth(1).getByRole('cell').allInnerTexts();
  const product = cells.splice(1, 1)[0]!.split('\n');
  expect(cells).toEqual(['1', `$${fixture.tool.price}`, String(fixture.tool.minimumOrderQuantity), 'Pay']);
  expect(
    await fixture.page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('draft:'))),
  ).toEqual([]);
  const [order] = await fetchOrders(fixture.page, fixture.email);
  const pay = fixture.page.getByRole('link', { name: 'Pay', exact: true });
  expect(await pay.getAttribute('href')).toBe(`/dashboard/payment/${order!._id}`);
  const placedOn = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium' }).format(new Date(order!.placedAt));
  expect(product).toEqual([
    fixture.tool.name,
    orderNumber(order!._id),
    placedOn,
    `$${fixture.tool.price * fixture.tool.minimumOrderQuantity}`,
    'To 18 Foundry Row',
    expect.stringMatching(/^Held for you until \d+:\d\d\s[AP]M$/),
  ]);
});

// Clause A.2.37
test.each([
  [1440, 900, 'Place order'],
  [390, 844, 'Quantity'],
])(
  'at %i x %i, the purchase form begins with the read-only fields and shows "%s" without scrolling',
  async (width, height, last) => {
    await fixture.page.setViewportSize({ width, height });
    await fixture.page.goto(`/purchase/${fixture.tool._id}`);
    await waitUntilInteractive(fixture.page);
    const form = fixture.main().getByRole('form');
    const bottomOf = async (label: string) => {
      const target = form.getByLabel(label, { exact: true }).or(form.getByRole('button', { name: label }));
      const box = (await target.boundingBox())!;
      return box.y + box.height;
    };
    const order = ['Name', 'Email', 'Product name', 'Quantity', 'Address', 'Phone', 'Place order'];
    const bottoms = await Promise.all(order.map(bottomOf));
    expect(bottoms).toEqual(bottoms.toSorted((a, b) => a - b));
    expect(await bottomOf(last)).toBeLessThanOrEqual(height);
  },
);

// Clauses A.5.5, A.5.6, A.8.5, C.6.12, C.6.14
test('a quantity out of range shows a warning and suggests a quantity in range, but can still be ordered', async () => {
  await fixture.createOwnTool();
  await fixture.fillOrder(fixture.tool.minimumOrderQuantity - 1);
  const warning = fixture.main().getByText(SPEC_MESSAGES.quantityRange, { exact: true });
  await warning.waitFor();
  expect(await fetchOrders(fixture.page, fixture.email)).toEqual([]);
  await fixture.placeOrderButton().click();
  await waitForToast(fixture.page, SPEC_MESSAGES.orderPlaced);
  const min = fixture.tool.minimumOrderQuantity;
  await fixture
    .main()
    .getByText(outOfRange(min - 1, min, fixture.tool.availableQuantity))
    .waitFor();
  expect(new URL(fixture.page.url()).pathname).toBe(`/purchase/${fixture.tool._id}`);
  expect((await fetchOrders(fixture.page, fixture.email)).map(({ price }) => price)).toEqual([null]);

  await fixture
    .main()
    .getByRole('button', { name: `Change to ${fixture.tool.minimumOrderQuantity}` })
    .click();
  await warning.waitFor({ state: 'detached' });
  await fixture.placeOrderButton().click();
  await fixture.waitForMyOrders();
  expect((await fetchOrders(fixture.page, fixture.email)).map(({ price }) => price)).toEqual([
    fixture.tool.price,
    null,
  ]);
});

// Clause C.6.14
test('the notice about an unpriced order keeps the range that applied when it was placed, even after the stock changes', async () => {
  await fixture.createOwnTool();
  const notice = fixture.main().getByText(/^We saved this order/);
  const min = fixture.tool.minimumOrderQuantity;
  await fixture.fillOrder(60);
  await setStock(fixture.tool._id, 50);
  const refetch = await holdRequests(fixture.page, `**/tool/${fixture.tool._id}`, 'GET');
  await fixture.placeOrderButton().click();
  await notice.waitFor();
  expect(await notice.textContent()).toBe(outOfRange(60, min, 50));
  refetch.release();
  await setStock(fixture.tool._id, 640);
  await dispatchWindowFocus(fixture.page);
  await fixture.main().getByText('640 piece', { exact: true }).waitFor();
  expect(await notice.textContent()).toBe(outOfRange(60, min, 50));
});

// Clause C.6.3
test('a changed price is shown, and the order is placed only after the customer accepts it', async () => {
  await fixture.createOwnTool();
  await fixture.fillOrder(fixture.tool.minimumOrderQuantity);
  await changeTool(fixture.tool._id, { price: 99 });
  await fixture.placeOrderButton().click();
  await fixture.main().getByText('The price has changed to $99 each.').waitFor();
  await fixture
    .main()
    .getByText(`$${formatWithCommas(99 * fixture.tool.minimumOrderQuantity)}`, { exact: true })
    .waitFor();
  expect(await fetchOrders(fixture.page, fixture.email)).toEqual([]);
  await fixture.main().getByRole('button', { name: 'Order at $99 each' }).click();
  await fixture.waitForMyOrders();
  expect((await fetchOrders(fixture.page, fixture.email)).map(({ price }) => price)).toEqual([99]);
});

test('going Back to the page of a tool that fails to load does not show another tool instead', async () => {
  const failingTool = await newTool();
  const path = `**/tool/${failingTool._id}`;
  const problem = { code: 'forbidden', status: 403, detail: 'Not now.' };
  await fixture.page.route(path, (route) => route.fulfill({ status: 403, json: problem }));
  await fixture.page.goto(`/purchase/${failingTool._id}`);
  await fixture.main().getByText('Not now.').waitFor();
  await fixture.page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Home' }).click();
  const card = fixture.page.getByRole('listitem').filter({ hasText: fixture.tool.name });
  await scrollUntilPresent(card);
  await card.getByRole('link', { name: 'Purchase' }).click();
  await fixture.main().getByRole('heading', { name: fixture.tool.name, level: 1 }).waitFor();
  await fixture.page.evaluate(() => history.go(-2));
  await fixture.page.waitForURL(path.replace('tool', 'purchase'));
  await fixture.main().getByText('Not now.').waitFor();
  expect(await fixture.main().getByText(fixture.tool.name).count()).toBe(0);
  await fixture.page.unroute(path);
  await fixture.main().getByRole('button', { name: 'Try again' }).click();
  await fixture.main().getByRole('heading', { name: failingTool.name, level: 1 }).waitFor();
});
