import { buy, openCustomers, placeOrder } from './customers.mjs';
import { quantile } from './numbers.mjs';

/** Each customer orders as soon as the last order is answered. */
const { shop, customers, hot, pay, seconds } = JSON.parse(process.argv[2]);
const everybody = await openCustomers(shop, { customers, hot });
const order = pay ? buy : placeOrder;

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

const { orders: warm } = await run(seconds / 3);
process.send?.('warm');
process.stdout.write(JSON.stringify({ ...(await run(seconds)), warm }));
process.exit(0);
