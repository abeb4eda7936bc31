import { buy, CALLS_TO_PAY, connection, keepRows, openCustomers, placeOrder } from './customers.mjs';
import { quantile } from './numbers.mjs';

/** Each customer orders as soon as the last order is answered: of the shop, or of the limit that stands beside it. */
const { shop, limit, customers, hot, pay, seconds } = JSON.parse(process.argv[2]);
const everybody = await openCustomers(shop, { customers, hot });
if (limit) for (const customer of everybody) customer.call = connection(limit);
const ofShop = pay ? buy : placeOrder;
const order = limit ? keepRows(pay ? CALLS_TO_PAY : 1) : ofShop;

async function run(lasts) {
  const times = [];
  const until = performance.now() + lasts * 1000;
  const began = performance.now();
  const work = everybody.map(async (customer) => {
    while (performance.now() < until) {
      const sent = performance.now();
      await order(customer);
      times.push(performance.now() - sent);
    }
  });
  await Promise.all(work);
  times.sort((a, b) => a - b);
  return {
    orders: times.length,
    perSecond: times.length / ((performance.now() - began) / 1000),
    p99: quantile(times, 0.99),
  };
}

const { orders: warm } = await run(seconds);
process.send?.('warm');
process.stdout.write(JSON.stringify({ ...(await run(seconds)), warm }));
process.exit(0);
