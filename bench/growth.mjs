import { addOrders, addTools, SMALL_ORDERS, LARGE_ORDERS } from './admin.mjs';
import { openAdmin, openCustomers, placeOrder } from './customers.mjs';
import { load } from './load.mjs';
import { rssMegabytes } from './machine.mjs';
import { many, median } from './numbers.mjs';
import { startShop } from './shop.mjs';

export const title = 'How cost grows';
export const columns = ['What', 'small', 'large', 'times'];

const LARGE_TOOLS = 5000;
const TIMES = 25;
const REQUESTS = 5000;
const SECONDS = 10;
const api = { accept: 'application/json', 'accept-encoding': 'br' };

async function medianOf(work) {
  const times = [];
  for (let i = 0; i < TIMES; i++) {
    const began = performance.now();
    await work();
    times.push(performance.now() - began);
  }
  return median(times);
}

const inMilliseconds = (n) => `${n < 10 ? n.toFixed(1) : many(n)} ms`;
const inMicroseconds = (n) => `${n.toFixed(1)} µs`;
const inMegabytes = (n) => `${many(n)} MB`;
const lineOf = (what, small, large, show) => ({
  cells: [what, show(small), show(large), (large / small).toFixed(1)],
});

/** Microseconds of the server's processor; where nobody can say, of the clock. */
const costOf = async (shop, paths) => {
  const wanted = { paths, headers: api, seconds: SECONDS, requests: REQUESTS };
  await load(shop, wanted);
  const run = await load(shop, wanted);
  return run.microseconds ?? 1e6 / run.perSecond;
};

async function ofTools(shop, customer) {
  const tools = await (await fetch(`${shop.origin}/tool`)).json();
  return {
    n: tools.length,
    one: await costOf(
      shop,
      tools.map(({ _id }) => `/tool/${_id}`),
    ),
    list: await costOf(shop, ['/tool']),
    home: await costOf(shop, ['/']),
    order: await medianOf(() => placeOrder(customer)),
    memory: rssMegabytes(shop.pid),
  };
}

async function ofOrders(shop, customer, admin) {
  const { _id } = await placeOrder(customer);
  return {
    place: await medianOf(() => placeOrder(customer)),
    one: await medianOf(() => customer.call('GET', `/order/${_id}`, undefined, customer.bearer)),
    own: await medianOf(() => customer.call('GET', `/order?email=${customer.email}`, undefined, customer.bearer)),
    count: await medianOf(() => admin.call('GET', '/order', undefined, { ...admin.bearer, prefer: 'return=minimal' })),
  };
}

async function* toolLines(shop, customer) {
  const small = await ofTools(shop, customer);
  await addTools(shop, LARGE_TOOLS - small.n);
  const large = await ofTools(shop, customer);
  const of = (what) => `${what}, ${small.n} and ${many(large.n)} tools`;
  yield lineOf(of('GET /tool/{id}'), small.one, large.one, inMicroseconds);
  yield lineOf(of('GET /tool'), small.list, large.list, inMicroseconds);
  yield lineOf(of('The home page'), small.home, large.home, inMicroseconds);
  yield lineOf(of('An order'), small.order, large.order, inMilliseconds);
  yield lineOf(of('Memory of the Node process'), small.memory, large.memory, inMegabytes);
}

async function* orderLines(shop, customer) {
  await addOrders(shop, customer.tool, SMALL_ORDERS);
  const small = await ofOrders(shop, customer, await openAdmin(shop));
  await addOrders(shop, customer.tool, LARGE_ORDERS - SMALL_ORDERS);
  // An admin's token lives ten minutes.
  const large = await ofOrders(shop, customer, await openAdmin(shop));
  const of = (what) => `${what}, ${many(SMALL_ORDERS)} and ${many(LARGE_ORDERS)} orders`;
  yield lineOf(of('POST /order'), small.place, large.place, inMilliseconds);
  yield lineOf(of('GET /order/{id}'), small.one, large.one, inMilliseconds);
  yield lineOf(of('My Orders'), small.own, large.own, inMilliseconds);
  yield lineOf(of('How many orders there are'), small.count, large.count, inMilliseconds);
}

export async function* measure() {
  const shop = await startShop({ env: { RATE_LIMIT: 'off', MAX_UNPAID_ORDERS: '10000' } });
  const [one, other] = await openCustomers(shop, { customers: 2, hot: true });
  yield* toolLines(shop, one);
  yield* orderLines(shop, other);
  await shop.stop();
}
