import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { refreshAdminToken } from '../lib/accounts.mjs';
import { createOrderClient } from '../lib/orderClient.mjs';
import { withRetries } from '../lib/retryingClient.mjs';
import { openCopies, stopCopies } from '../lib/shopCopies.mjs';
import { runDoctor } from '../lib/shopProcess.mjs';
import { NEEDS_SYSTEM_POSTGRES, hasSystemPostgres, startSystemPostgres } from '../lib/systemPostgres.mjs';

const WORKERS = 16;
const ORDERS_PER_REFUND = 10;
const ORDERS_PER_KILL = 500;

/** Customers order and pay, and an admin refunds some orders, while the servers are killed in turn. */
async function payWhileKilling({ shops, client: impatientClient, admin, people, tools, random }, orderCount, kills) {
  const client = withRetries(impatientClient, { serversAreKilled: true });
  const orderClient = createOrderClient(client);
  const counts = { started: 0, paid: 0, refunded: 0 };

  async function refund(order) {
    const { token } = await refreshAdminToken(client, admin);
    const options = {
      token,
      body: { reason: 'Wrong size', restock: true },
      headers: { 'idempotency-key': randomUUID() },
    };
    const { status } = await client.send('POST', `/order/${order._id}/refund`, options);
    if (status === 200) counts.refunded++;
  }

  async function runWorker() {
    while (counts.started < orderCount) {
      counts.started++;
      const entry = orderClient.createEntry(random.pick(people), random.pick(tools));
      if ((await orderClient.place(entry)).status !== 201 || (await orderClient.pay(entry)).status !== 200) continue;
      counts.paid++;
      if (counts.paid % ORDERS_PER_REFUND === 0) await refund(entry.order);
    }
  }

  const done = Promise.all(Array.from({ length: WORKERS }, runWorker));
  for (let n = 0; n < kills; n++) {
    while (counts.started < (orderCount * (n + 1)) / (kills + 1)) await sleep(20);
    const shop = shops[n % shops.length];
    await shop.stop('SIGKILL');
    await shop.start();
  }
  await done;
  return counts;
}

export async function invoices({ report, chooseSize, seed }) {
  if (!hasSystemPostgres()) return report.note(`Not run: ${NEEDS_SYSTEM_POSTGRES}.`);
  const postgres = await startSystemPostgres();
  const scenario = await openCopies(seed, postgres.url);
  const orderCount = chooseSize(100_000, 2_000);
  const kills = Math.ceil(orderCount / ORDERS_PER_KILL);
  const { paid, refunded } = await payWhileKilling(scenario, orderCount, kills);
  const checkSeries = (label, table, column, acknowledged) => {
    const read = `select count(*), count(distinct ${column}), max(substr(${column}, 3)::int), count(*) - count(${column}) from ${table}`;
    const [rows, distinct, last, withoutNumber] = postgres.sql(read).split('|').map(Number);
    const value = `${rows} rows, ${distinct} numbers up to ${last}, ${withoutNumber} without a number`;
    const isWhole = rows >= acknowledged && distinct === rows && last === rows && withoutNumber === 0;
    report.check(`${label} after ${kills} kills (${acknowledged} acknowledged)`, value, 'no gap, no double', isWhole);
  };
  checkSeries('invoices', 'payments', 'invoice', paid);
  checkSeries('credit notes', 'refunds', 'number', refunded);
  await runDoctor(report, scenario.shops[0]);
  await stopCopies(scenario);
}
