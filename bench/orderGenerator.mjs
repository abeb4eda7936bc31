import { placeAndPayOrder, CALLS_TO_PAY, openConnection, insertRows, openCustomers, placeOrder } from './customers.mjs';
import { quantile } from './statistics.mjs';

/** Each customer sends the next order as soon as the shop or the baseline server has answered the previous one. */
const { shop, baselinePort, customers, sameTool, pay, seconds } = JSON.parse(process.argv[2]);
const allCustomers = await openCustomers(shop, { customers, sameTool });
if (baselinePort) for (const customer of allCustomers) customer.call = openConnection(baselinePort);
const shopOrder = pay ? placeAndPayOrder : placeOrder;
const order = baselinePort ? insertRows(pay ? CALLS_TO_PAY : 1) : shopOrder;

async function run(duration) {
  const times = [];
  const endsAt = performance.now() + duration * 1000;
  const startedAt = performance.now();
  const work = allCustomers.map(async (customer) => {
    while (performance.now() < endsAt) {
      const sentAt = performance.now();
      await order(customer);
      times.push(performance.now() - sentAt);
    }
  });
  await Promise.all(work);
  times.sort((a, b) => a - b);
  return {
    orders: times.length,
    perSecond: times.length / ((performance.now() - startedAt) / 1000),
    p99: quantile(times, 0.99),
  };
}

const { orders: warm } = await run(seconds);
process.send?.('warm');
process.stdout.write(JSON.stringify({ ...(await run(seconds)), warm }));
process.exit(0);
