import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { startRowBaseline } from './baseline.mjs';
import { runLoad } from './runLoad.mjs';
import { CORES, cpuSeconds, startNode } from './machine.mjs';
import { formatCount, formatPercent } from './statistics.mjs';
import { openDatabase, startShop } from './shop.mjs';

export const title = 'Orders (16 customers; server and database on one core, generator on another)';
export const columns = [
  'What',
  'orders/s',
  'target',
  'bare Fastify that stores a row per call, orders/s',
  'share of bare Fastify',
  'p99, ms',
  'target',
  'CPU time of the server per order, ms',
  'checked',
];

const generator = fileURLToPath(new URL('./orderGenerator.mjs', import.meta.url));
const CUSTOMERS = 16;
const SECONDS = 10;
const MAX_P99_MS = 250;
const env = { RATE_LIMIT: 'off', MAX_UNPAID_ORDERS: '10000' };

const noReaders = async () => undefined;

/**
 * Starts to measure CPU time and to run the readers when the generator reports that its warm-up is done. The generator
 * exits with an error if an order is wrong.
 */
async function measureOrders(shop, options, startReaders) {
  const generatorOptions = {
    shop: { port: shop.port, folder: shop.folder },
    customers: CUSTOMERS,
    seconds: SECONDS,
    ...options,
  };
  const stdio = ['ignore', 'pipe', 'inherit', 'ipc'];
  const child = startNode([generator, JSON.stringify(generatorOptions)], { core: CORES.generator, stdio });
  let cpuBefore;
  let readersDone;
  let text = '';
  child.once('message', () => {
    cpuBefore = cpuSeconds(shop.pid);
    readersDone = startReaders(shop);
  });
  child.stdout.on('data', (chunk) => (text += chunk));
  const [code] = await once(child, 'close');
  const cpuUsed = cpuBefore === undefined ? NaN : cpuSeconds(shop.pid) - cpuBefore;
  await readersDone;
  if (code !== 0) throw new Error('The order generator failed. Its error is above.');
  const result = JSON.parse(text);
  return { ...result, cpuMilliseconds: (cpuUsed * 1000) / result.orders };
}

const CHECK_STATEMENT = `select bool_and(t.stocked_quantity = t.available_quantity + coalesce(o.held, 0)) as balanced,
  (select count(*)::int from orders) as orders, (select count(*)::int from payments where outcome = 'paid') as paid
  from tools t left join (select tool_id, sum(quantity) as held from orders where holds_stock group by tool_id) o
    on o.tool_id = t.id`;

/**
 * @returns whether all acknowledged orders and payments are stored, and every piece of stock is available or taken by
 * an order
 */
async function hasStoredAll(shop, { orders, warmUpOrders }, { pay }) {
  const client = await openDatabase(shop);
  const { rows } = await client.query(CHECK_STATEMENT);
  await client.end();
  const [{ balanced, orders: stored, paid }] = rows;
  return balanced && stored === orders + warmUpOrders && (!pay || paid === stored);
}

async function measureBaseline(shop, options, startReaders) {
  const { port, stop } = await startRowBaseline(shop);
  const { perSecond } = await measureOrders(shop, { ...options, baselinePort: port }, startReaders);
  await stop();
  return perSecond;
}

async function measureLine(label, options, minimum, startReaders = noReaders) {
  const shop = await startShop({ env });
  const result = await measureOrders(shop, options, startReaders);
  const isCorrect = await hasStoredAll(shop, result, options);
  const baselineRate = await measureBaseline(shop, options, startReaders);
  await shop.stop();
  const { perSecond, p99, cpuMilliseconds } = result;
  const target = minimum === undefined ? '' : `>= ${minimum}`;
  const rates = [
    formatCount(perSecond),
    target,
    formatCount(baselineRate),
    formatPercent(perSecond / baselineRate),
    formatCount(p99),
    `< ${MAX_P99_MS}`,
  ];
  const ok = isCorrect && (minimum === undefined || (perSecond >= minimum && p99 < MAX_P99_MS));
  return {
    cells: [label, ...rates, cpuMilliseconds.toFixed(2), isCorrect ? 'all orders correct' : 'orders lost or wrong'],
    ok,
  };
}

/** Four connections read `GET /tool` while orders are measured. */
const runReaders = (shop) =>
  runLoad(shop, {
    paths: ['/tool'],
    headers: { 'accept-encoding': 'br' },
    seconds: SECONDS,
    connections: 4,
    pauseMs: 10,
  });

export async function* measure() {
  yield await measureLine('An order, each customer with a different tool', {}, 600);
  yield await measureLine('An order, all customers with the same tool', { sameTool: true }, 400);
  yield await measureLine(
    'An order, all customers with the same tool, while four readers each call GET /tool up to 100 times a second',
    { sameTool: true },
    undefined,
    runReaders,
  );
  yield await measureLine('One paid order, from placing it to the settled payment', { pay: true }, 75);
}
