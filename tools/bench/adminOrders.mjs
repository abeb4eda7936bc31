import { signInAdmin, openCustomers } from './customers.mjs';
import { addSoldOrders, ORDERS_IN_LARGE_SHOP } from './seedData.mjs';
import { openDatabase, startShop } from './shop.mjs';
import { formatCount, median } from './statistics.mjs';

export const title = `Manage All Orders with ${formatCount(ORDERS_IN_LARGE_SHOP)} orders`;
export const columns = ['What', 'median', 'target', 'slowest', 'orders'];

const MAX_MEDIAN_MS = 300;
const REPETITIONS = 9;
const STATUSES = ['paid', 'unpriced', 'unpaid', 'shipped', 'refunded'];

/** @returns search texts by their kind, some of them from an order in the middle of all orders */
async function chooseSearches(shop) {
  const client = await openDatabase(shop);
  const { rows } = await client.query(
    `
    select o.id, o.email, p.intent_id as intent from orders o join payments p on p.order_id = o.id
    where o.position > $1 order by o.position limit 1`,
    [ORDERS_IN_LARGE_SHOP / 2],
  );
  await client.end();
  const [{ id, email, intent }] = rows;
  return {
    'a whole email': email,
    'the beginning of an email': email.slice(0, 12),
    'a customer': 'Customer 4711',
    'a product': 'Product 123',
    'a frequent word': 'street',
    'one letter': 's',
    'a street and a town': '12 Elm Rockford',
    'ten words': '1 2 3 4 5 6 7 8 street elm',
    'words that never occur together in one order': 'Oak Elm Birch',
    'an unknown word': 'zzyzx',
    'an order id': id,
    'an order code': id.slice(0, 8),
    'a transaction id': intent,
  };
}

async function measureRequest({ call, bearer }, path) {
  const times = [];
  let orderCount;
  for (let i = 0; i < REPETITIONS; i++) {
    const startedAt = performance.now();
    orderCount = (await call('GET', path, undefined, bearer)).length;
    times.push(performance.now() - startedAt);
  }
  return { medianMs: median(times), slowestMs: Math.max(...times), orderCount };
}

const formatMs = (milliseconds) => `${milliseconds.toFixed(1)} ms`;

function createLine(label, { medianMs, slowestMs, orderCount }) {
  const cells = [label, formatMs(medianMs), `< ${MAX_MEDIAN_MS} ms`, formatMs(slowestMs), String(orderCount ?? '')];
  return { cells, ok: medianMs < MAX_MEDIAN_MS };
}

export async function* measure() {
  const shop = await startShop({ env: { RATE_LIMIT: 'off' } });
  const [{ tool }] = await openCustomers(shop, { customers: 1, sameTool: true });
  await addSoldOrders(shop, tool, ORDERS_IN_LARGE_SHOP);
  const admin = await signInAdmin(shop);
  const searches = Object.entries(await chooseSearches(shop));
  yield createLine('Number of orders of every filter', await measureRequest(admin, '/order/counts'));
  yield createLine('All', await measureRequest(admin, '/order?limit=50'));
  for (const status of STATUSES) {
    yield createLine(`Filter ${status}`, await measureRequest(admin, `/order?limit=50&status=${status}`));
    yield createLine(
      `Filter ${status}, a page in the middle`,
      await measureRequest(admin, `/order?limit=50&status=${status}&after=${ORDERS_IN_LARGE_SHOP / 2}`),
    );
  }
  for (const [label, text] of searches) {
    const q = encodeURIComponent(text);
    yield createLine(`Search for ${label}`, await measureRequest(admin, `/order?limit=50&q=${q}`));
    yield createLine(
      `Search for ${label} among the orders to ship`,
      await measureRequest(admin, `/order?limit=50&status=paid&q=${q}`),
    );
  }
  await shop.stop();
}
