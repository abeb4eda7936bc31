import {
  placeAndPayOrder,
  CALLS_TO_PLACE_AND_PAY,
  openConnection,
  createRowInserter,
  openCustomers,
  placeOrder,
} from './customers.mjs';
import { quantile } from './statistics.mjs';

/** Each customer sends the next order as soon as the shop or the baseline server has answered the previous one. */
const { shop, baselinePort, customers, sameTool, pay, seconds } = JSON.parse(process.argv[2]);
const allCustomers = await openCustomers(shop, { customers, sameTool });
if (baselinePort) for (const customer of allCustomers) customer.call = openConnection(baselinePort);
const orderAtShop = pay ? placeAndPayOrder : placeOrder;
const orderOnce = baselinePort ? createRowInserter(pay ? CALLS_TO_PLACE_AND_PAY : 1) : orderAtShop;

async function sendOrders(durationSeconds) {
  const times = [];
  const endsAt = performance.now() + durationSeconds * 1000;
  const startedAt = performance.now();
  const customersDone = allCustomers.map(async (customer) => {
    while (performance.now() < endsAt) {
      const sentAt = performance.now();
      await orderOnce(customer);
      times.push(performance.now() - sentAt);
    }
  });
  await Promise.all(customersDone);
  times.sort((a, b) => a - b);
  return {
    orders: times.length,
    perSecond: times.length / ((performance.now() - startedAt) / 1000),
    p99: quantile(times, 0.99),
  };
}

const { orders: warmUpOrders } = await sendOrders(seconds);
process.send?.('warm');
process.stdout.write(JSON.stringify({ ...(await sendOrders(seconds)), warmUpOrders }));
process.exit(0);
