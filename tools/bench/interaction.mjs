/* global document, window */
import { clearInterval, setInterval } from 'node:timers';
import { addOrdersOfCustomer, addTools } from './seedData.mjs';
import { DEMO_ADMIN, openCustomers, PASSWORD } from './customers.mjs';
import { median } from './statistics.mjs';
import { DESKTOP, openEmulatedUser, PHONE } from './emulatedUser.mjs';
import { startShop } from './shop.mjs';

export const title = 'Interaction (CPU four times slower, 5,000 tools, a customer with 10,000 orders)';
export const columns = ['What', 'longest task, ms', 'target', 'input to next paint, ms', 'page shown, ms', 'target'];

const TOOLS = 5000;
const ORDERS = 10_000;
const VISITS = 5;
/** The target for the longest task, and for the median time until a page is shown. */
const TARGET_MS = 100;
/** Browsers report only tasks of at least 50 ms. */
const LONG_TASK_MS = 50;
const TYPED_TEXT = '221B Baker Street, 3rd floor';
/** The page where the navigation starts, and the link that is clicked there. */
const NAVIGATIONS = [
  ['/', 'a[href="/blogs"]'],
  ['/', 'a[href="/about"]'],
  ['/about', 'a[href="/"]'],
  ['/', 'a[href="/dashboard"]'],
  ['/dashboard', 'a[href="/dashboard/myorder"]'],
  ['/', 'a[href^="/purchase/"]'],
];

const target = `< ${TARGET_MS}`;

function createTaskLine(label, { task, event }) {
  const longest = task === 0 ? `under ${LONG_TASK_MS}` : Math.round(task);
  return { cells: [label, longest, target, event || '', '', ''], ok: task < TARGET_MS };
}

function createNavigationLine(label, visits) {
  const { cells } = createTaskLine(label, { task: Math.max(...visits.map(({ task }) => task)) });
  const shown = median(visits.map((visit) => visit.shown));
  return { cells: [...cells.slice(0, 2), '', '', Math.round(shown), target], ok: shown < TARGET_MS };
}

async function signIn({ page }, { email, password = PASSWORD }) {
  await page.goto('/login');
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('main').getByRole('button', { name: 'Log in', exact: true }).click();
  await page.waitForURL('/');
}

/** Keeps scrolling to the last rendered card until this many cards are rendered. */
async function scrollThroughCards(page, selector, count) {
  await page.waitForFunction(
    ([cards, wanted]) => {
      const items = document.querySelectorAll(cards);
      items[items.length - 1]?.scrollIntoView();
      return items.length >= wanted;
    },
    [selector, count],
    { polling: 100 },
  );
}

/** Turns the mouse wheel by three screens, ten times a second, until this many rows of the table have been rendered. */
async function scrollThroughRows(page, count) {
  const { width, height } = page.viewportSize();
  await page.mouse.move(width / 2, height / 2);
  const turning = setInterval(() => void page.mouse.wheel(0, 3 * height).catch(() => undefined), 100);
  try {
    await page.waitForFunction(
      (wanted) => [...document.querySelectorAll('main [data-row]')].at(-1)?.ariaRowIndex > wanted,
      count,
      { polling: 100 },
    );
  } finally {
    clearInterval(turning);
  }
}

async function typeInto(user, label) {
  const field = user.page.getByLabel(label, { exact: true });
  await field.fill('');
  await field.focus();
  return user.measure(() => user.page.keyboard.type(TYPED_TEXT));
}

async function* measureToolList(user, { tool }) {
  const { page, measure, locate, press, slowDownCpu } = user;
  await page.goto('/');
  await slowDownCpu();
  yield createTaskLine('Phone: loading the list of 5,000 tools', await measure(() => page.reload()));
  const menu = await locate(page.getByRole('button', { name: 'Menu', exact: true }));
  yield createTaskLine('Phone: opening the menu', await measure(() => press(menu)));
  await measure(() => page.keyboard.press('Escape'));
  const scrolled = await measure(() => scrollThroughCards(page, '#tools li', TOOLS));
  yield createTaskLine('Phone: scrolling to the end of 5,000 tools', scrolled);
  yield createTaskLine('Phone: opening the menu over 5,000 tools', await measure(() => press(menu)));
  await page.goto('/');
  await page.getByLabel('Find a tool', { exact: true }).focus();
  yield createTaskLine('Phone: searching 5,000 tools', await measure(() => page.keyboard.type('bench tool 43')));
  await page.goto(`/purchase/${tool._id}`);
  yield createTaskLine('Phone: typing in the purchase form', await typeInto(user, 'Address'));
  await page.goto('/dashboard');
  yield createTaskLine('Phone: typing in the profile', await typeInto(user, 'Address'));
}

async function* measureOrderList(user, deviceName, orders) {
  const { page, measure, locate, press, slowDownCpu } = user;
  await slowDownCpu();
  await page.goto('/dashboard');
  yield createTaskLine(
    `${deviceName}: loading the list of 10,000 orders`,
    await measure(() => page.goto('/dashboard/myorder')),
  );
  yield createTaskLine(
    `${deviceName}: scrolling to the end of 10,000 orders`,
    await measure(() => scrollThroughRows(page, orders)),
  );
  const remove = await locate(page.locator('main [data-row]').nth(-50).locator('button'));
  const dialogOpened = await measure(() => press(remove));
  yield createTaskLine(`${deviceName}: opening the delete dialog on a page of 10,000 orders`, dialogOpened);
  const confirm = await locate(page.locator('dialog button:last-child'));
  yield createTaskLine(`${deviceName}: deleting one of 10,000 orders`, await measure(() => press(confirm)));
}

async function* measureAdmin({ page, measure, slowDownCpu }) {
  await page.goto('/dashboard/addproduct');
  await slowDownCpu();
  const search = page.getByLabel('Find a tool', { exact: true });
  await search.focus();
  yield createTaskLine(
    "Desktop: typing in the admin's search",
    await measure(() => page.keyboard.type('bench tool 43')),
  );
  await search.fill('');
  const scrolled = await measure(() => scrollThroughCards(page, 'main [role=list] li', 1_000));
  yield createTaskLine("Desktop: scrolling through 1,000 tools in the admin's list", scrolled);
  yield createTaskLine(
    'Desktop: opening Manage All Orders',
    await measure(() => page.goto('/dashboard/manageallorders?status=all')),
  );
  const allOrders = await measure(() => scrollThroughRows(page, ORDERS));
  yield createTaskLine('Desktop: scrolling to the end of 10,000 orders in Manage All Orders', allOrders);
}

/** Hovers over the link before the click, as users do, because hovering starts the prefetch. */
async function measureNavigation({ page, measure, locate, press, waitUntilIdle }, [from, selector]) {
  await page.goto(from);
  await waitUntilIdle();
  const link = page.locator(selector).first();
  const path = await link.getAttribute('href');
  const position = await locate(link);
  await page.mouse.move(position.x, position.y);
  await waitUntilIdle();
  const arrival = page.evaluate((to) => window.measureArrival(to), path);
  const longest = await measure(() => press(position));
  return { ...longest, path, shown: await arrival };
}

async function* measureNavigations(user) {
  await user.slowDownCpu();
  for (const navigation of NAVIGATIONS) {
    const visits = [];
    for (let i = 0; i < VISITS; i++) visits.push(await measureNavigation(user, navigation));
    const to = visits[0].path.replace(/^\/purchase.*/, '/purchase/{id}');
    yield createNavigationLine(`Desktop: from ${navigation[0]} to ${to}`, visits);
  }
}

async function* measureDevices(shop, customer) {
  for (const [device, steps, account = customer] of [
    [DESKTOP, measureAdmin, DEMO_ADMIN],
    [PHONE, measureToolList],
    [PHONE, (user) => measureOrderList(user, 'Phone', ORDERS)],
    [DESKTOP, (user) => measureOrderList(user, 'Desktop', ORDERS - 1)],
    [DESKTOP, measureNavigations],
  ]) {
    const user = await openEmulatedUser(shop.origin, device);
    try {
      await signIn(user, account);
      yield* steps(user, customer);
    } finally {
      await user.context.close();
    }
  }
}

export async function* measure() {
  const shop = await startShop({ env: { RATE_LIMIT: 'off' } });
  const [customer] = await openCustomers(shop, { customers: 1 });
  const tools = await (await fetch(`${shop.origin}/tool`)).json();
  await addTools(shop, TOOLS - tools.length);
  await addOrdersOfCustomer(shop, customer, ORDERS);
  try {
    yield* measureDevices(shop, customer);
  } finally {
    await shop.stop();
  }
}
