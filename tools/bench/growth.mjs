import { addOrders, addTools, ORDERS_IN_SMALL_SHOP, ORDERS_IN_LARGE_SHOP } from './seedData.mjs';
import { signInAdmin, openCustomers, placeOrder } from './customers.mjs';
import { runLoad } from './runLoad.mjs';
import { rssMegabytes } from './machine.mjs';
import { formatCount, median } from './statistics.mjs';
import { startShop } from './shop.mjs';

export const title = 'How the cost of requests grows with the shop';
export const columns = ['What', 'small', 'large', 'large / small'];

const TOOLS_IN_LARGE_SHOP = 5000;
const REPETITIONS = 25;
const REQUESTS = 5000;
const SECONDS = 10;
const apiHeaders = { accept: 'application/json', 'accept-encoding': 'br' };

async function measureMedian(work) {
  const times = [];
  for (let i = 0; i < REPETITIONS; i++) {
    const startedAt = performance.now();
    await work();
    times.push(performance.now() - startedAt);
  }
  return median(times);
}

const formatMilliseconds = (n) => `${n < 10 ? n.toFixed(1) : formatCount(n)} ms`;
const formatMicroseconds = (n) => `${n.toFixed(1)} µs`;
const formatMegabytes = (n) => `${formatCount(n)} MB`;
const createLine = (label, small, large, format) => ({
  cells: [label, format(small), format(large), (large / small).toFixed(1)],
});

/** Measures the CPU time per request in microseconds, or the elapsed time on systems without `/proc`. */
const measureCost = async (shop, paths) => {
  const options = { paths, headers: apiHeaders, seconds: SECONDS, requests: REQUESTS };
  await runLoad(shop, options);
  const run = await runLoad(shop, options);
  return run.cpuMicroseconds ?? 1e6 / run.perSecond;
};

async function measureWithTools(shop, customer) {
  const tools = await (await fetch(`${shop.origin}/tool`)).json();
  return {
    toolCount: tools.length,
    readCost: await measureCost(
      shop,
      tools.map(({ _id }) => `/tool/${_id}`),
    ),
    listCost: await measureCost(shop, ['/tool']),
    homeCost: await measureCost(shop, ['/']),
    orderMs: await measureMedian(() => placeOrder(customer)),
    memoryMegabytes: rssMegabytes(shop.pid),
  };
}

async function measureWithOrders(shop, customer, admin) {
  const { _id } = await placeOrder(customer);
  return {
    placeMs: await measureMedian(() => placeOrder(customer)),
    readMs: await measureMedian(() => customer.call('GET', `/order/${_id}`, undefined, customer.bearer)),
    listOwnMs: await measureMedian(() =>
      customer.call('GET', `/order?email=${customer.email}`, undefined, customer.bearer),
    ),
    countMs: await measureMedian(() =>
      admin.call('GET', '/order', undefined, { ...admin.bearer, prefer: 'return=minimal' }),
    ),
  };
}

async function* measureToolGrowth(shop, customer) {
  const small = await measureWithTools(shop, customer);
  await addTools(shop, TOOLS_IN_LARGE_SHOP - small.toolCount);
  const large = await measureWithTools(shop, customer);
  const labelFor = (label) => `${label}, ${small.toolCount} and ${formatCount(large.toolCount)} tools`;
  yield createLine(labelFor('GET /tool/{id}'), small.readCost, large.readCost, formatMicroseconds);
  yield createLine(labelFor('GET /tool'), small.listCost, large.listCost, formatMicroseconds);
  yield createLine(labelFor('The home page'), small.homeCost, large.homeCost, formatMicroseconds);
  yield createLine(labelFor('An order'), small.orderMs, large.orderMs, formatMilliseconds);
  yield createLine(
    labelFor('Memory of the Node process'),
    small.memoryMegabytes,
    large.memoryMegabytes,
    formatMegabytes,
  );
}

async function* measureOrderGrowth(shop, customer) {
  await addOrders(shop, customer.tool, ORDERS_IN_SMALL_SHOP);
  const small = await measureWithOrders(shop, customer, await signInAdmin(shop));
  await addOrders(shop, customer.tool, ORDERS_IN_LARGE_SHOP - ORDERS_IN_SMALL_SHOP);
  // Signs in again, because an admin's token expires after ten minutes.
  const large = await measureWithOrders(shop, customer, await signInAdmin(shop));
  const labelFor = (label) =>
    `${label}, ${formatCount(ORDERS_IN_SMALL_SHOP)} and ${formatCount(ORDERS_IN_LARGE_SHOP)} orders`;
  yield createLine(labelFor('POST /order'), small.placeMs, large.placeMs, formatMilliseconds);
  yield createLine(labelFor('GET /order/{id}'), small.readMs, large.readMs, formatMilliseconds);
  yield createLine(labelFor('My Orders'), small.listOwnMs, large.listOwnMs, formatMilliseconds);
  yield createLine(labelFor('Number of orders'), small.countMs, large.countMs, formatMilliseconds);
}

export async function* measure() {
  const shop = await startShop({ env: { RATE_LIMIT: 'off', MAX_UNPAID_ORDERS: '10000' } });
  const [toolCustomer, orderCustomer] = await openCustomers(shop, { customers: 2, sameTool: true });
  yield* measureToolGrowth(shop, toolCustomer);
  yield* measureOrderGrowth(shop, orderCustomer);
  await shop.stop();
}
