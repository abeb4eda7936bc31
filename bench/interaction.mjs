/* global document, window */
import { addOrdersOf, addTools } from './admin.mjs';
import { openCustomers, PASSWORD } from './customers.mjs';
import { median } from './numbers.mjs';
import { DESK, newPerson, PHONE } from './person.mjs';
import { startShop } from './shop.mjs';

export const title = 'Interaction (processor four times slower, 5,000 tools, a customer with 10,000 orders)';
export const columns = [
  'What',
  'longest task, ms',
  'target',
  'from a press or key to its frame, ms',
  'page shown, ms',
  'target',
];

const TOOLS = 5000;
const ORDERS = 10_000;
const VISITS = 5;
const MOST_MS = 100;
/** Shorter tasks are not told. */
const LONG_TASK_MS = 50;
const WORDS = '221B Baker Street, 3rd floor';
/** From where, and the link that is followed there. */
const WAYS = [
  ['/', 'a[href="/blogs"]'],
  ['/', 'a[href="/about"]'],
  ['/about', 'a[href="/"]'],
  ['/', 'a[href="/dashboard"]'],
  ['/dashboard', 'a[href="/dashboard/myorder"]'],
  ['/', 'a[href^="/purchase/"]'],
];

const within = `< ${MOST_MS}`;

function blockLine(what, { task, event }) {
  const longest = task === 0 ? `under ${LONG_TASK_MS}` : Math.round(task);
  return { cells: [what, longest, within, event || '', '', ''], ok: task < MOST_MS };
}

function pageLine(what, visits) {
  const { cells } = blockLine(what, { task: Math.max(...visits.map(({ task }) => task)) });
  const shown = median(visits.map((visit) => visit.shown));
  return { cells: [...cells.slice(0, 2), '', '', Math.round(shown), within], ok: shown < MOST_MS };
}

async function signIn({ page }, { email }) {
  await page.goto('/login');
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('main').getByRole('button', { name: 'Login', exact: true }).click();
  await page.waitForURL('/');
}

/** To the last of what is drawn, again and again until that is all. */
async function toTheEnd(page, [list, tag], wanted) {
  await page.waitForFunction(
    ([selector, item, most]) => {
      const drawn = document.querySelector(selector)?.getElementsByTagName(item) ?? [];
      drawn[drawn.length - 1]?.scrollIntoView();
      return drawn.length >= most;
    },
    [list, tag, wanted],
    { polling: 100 },
  );
}

async function typeInto(person, label) {
  const field = person.page.getByLabel(label, { exact: true });
  await field.fill('');
  await field.focus();
  return person.during(() => person.page.keyboard.type(WORDS));
}

async function* onTools(person, { tool }) {
  const { page, during, placeOf, press, slowDown } = person;
  await page.goto('/');
  await slowDown();
  yield blockLine('Phone: the list of 5,000 tools arrives', await during(() => page.reload()));
  const menu = await placeOf(page.getByRole('button', { name: 'Menu', exact: true }));
  yield blockLine('Phone: opening the menu', await during(() => press(menu)));
  await during(() => page.keyboard.press('Escape'));
  const grown = await during(() => toTheEnd(page, ['#tools', 'li'], TOOLS));
  yield blockLine('Phone: scrolling to the end of 5,000 tools', grown);
  yield blockLine('Phone: opening the menu over 5,000 tools', await during(() => press(menu)));
  await page.goto(`/purchase/${tool._id}`);
  yield blockLine('Phone: typing in the purchase form', await typeInto(person, 'Address'));
  await page.goto('/dashboard');
  yield blockLine('Phone: typing in the profile', await typeInto(person, 'Address'));
}

async function* onOrders(person, where) {
  const { page, during, placeOf, press, slowDown } = person;
  await slowDown();
  await page.goto('/dashboard');
  yield blockLine(`${where}: the list of 10,000 orders arrives`, await during(() => page.goto('/dashboard/myorder')));
  yield blockLine(
    `${where}: scrolling to the end of 10,000 orders`,
    await during(() => toTheEnd(page, ['main table', 'tr'], ORDERS)),
  );
  const remove = await placeOf(page.locator('main tbody:nth-last-child(3) tr:first-child button'));
  const asked = await during(() => press(remove));
  yield blockLine(`${where}: opening the dialog over 10,000 orders`, asked);
  const sure = await placeOf(page.locator('dialog button:last-child'));
  yield blockLine(`${where}: deleting one of 10,000 orders`, await during(() => press(sure)));
}

/** Whoever clicks has pointed at the link before. */
async function follow({ page, during, placeOf, press, rest }, [from, selector]) {
  await page.goto(from);
  await rest();
  const link = page.locator(selector).first();
  const path = await link.getAttribute('href');
  const place = await placeOf(link);
  await page.mouse.move(place.x, place.y);
  await rest();
  const arrival = page.evaluate((to) => window.arrival(to), path);
  const seen = await during(() => press(place));
  return { ...seen, path, shown: await arrival };
}

async function* toPages(person) {
  await person.slowDown();
  for (const way of WAYS) {
    const visits = [];
    for (let i = 0; i < VISITS; i++) visits.push(await follow(person, way));
    const to = visits[0].path.replace(/^\/purchase.*/, '/purchase/{id}');
    yield pageLine(`Desk: from ${way[0]} to ${to}`, visits);
  }
}

async function* deeds(shop, customer) {
  for (const [device, steps] of [
    [PHONE, onTools],
    [PHONE, (person) => onOrders(person, 'Phone')],
    [DESK, (person) => onOrders(person, 'Desk')],
    [DESK, toPages],
  ]) {
    const person = await newPerson(shop.origin, device);
    try {
      await signIn(person, customer);
      yield* steps(person, customer);
    } finally {
      await person.context.close();
    }
  }
}

export async function* measure() {
  const shop = await startShop({ env: { RATE_LIMIT: 'off' } });
  const [customer] = await openCustomers(shop, { customers: 1 });
  const tools = await (await fetch(`${shop.origin}/tool`)).json();
  await addTools(shop, TOOLS - tools.length);
  await addOrdersOf(shop, customer, ORDERS);
  try {
    yield* deeds(shop, customer);
  } finally {
    await shop.stop();
  }
}
