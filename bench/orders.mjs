import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { startRowLimit } from './limit.mjs';
import { load } from './load.mjs';
import { CORES, cpuSeconds, startNode } from './machine.mjs';
import { many, percent } from './numbers.mjs';
import { openDatabase, startShop } from './shop.mjs';

export const title = 'Orders (16 customers; server and database on one core, generator on another)';
export const columns = [
  'What',
  'orders/s',
  'target',
  'a bare Fastify that keeps a row a call, orders/s',
  'of that',
  'p99, ms',
  'target',
  "the server's processor time an order, ms",
  'checked',
];

const generator = fileURLToPath(new URL('./orderGenerator.mjs', import.meta.url));
const CUSTOMERS = 16;
const SECONDS = 10;
const MOST_MS = 250;
const env = { RATE_LIMIT: 'off', MAX_UNPAID_ORDERS: '10000' };

const nobody = async () => undefined;

/** The generator fails with the first order that is refused or is another than was asked for; it says when it is warm and counts. */
async function order(shop, wanted, beside) {
  const given = { shop: { port: shop.port, folder: shop.folder }, customers: CUSTOMERS, seconds: SECONDS, ...wanted };
  const stdio = ['ignore', 'pipe', 'inherit', 'ipc'];
  const child = startNode([generator, JSON.stringify(given)], { core: CORES.generator, stdio });
  let before;
  let meanwhile;
  let text = '';
  child.once('message', () => {
    before = cpuSeconds(shop.pid);
    meanwhile = beside(shop);
  });
  child.stdout.on('data', (part) => (text += part));
  const [code] = await once(child, 'close');
  const spent = before === undefined ? NaN : cpuSeconds(shop.pid) - before;
  await meanwhile;
  if (code !== 0) throw new Error('An order was refused or wrong.');
  const result = JSON.parse(text);
  return { ...result, milliseconds: (spent * 1000) / result.orders };
}

const BALANCE = `select bool_and(t.stocked_quantity = t.available_quantity + coalesce(o.held, 0)) as balanced,
  (select count(*)::int from orders) as orders, (select count(*)::int from payments where outcome = 'paid') as paid
  from tools t left join (select tool_id, sum(quantity) as held from orders where holds_stock group by tool_id) o
    on o.tool_id = t.id`;

/** What was answered is in the database, and every piece is in stock or held. */
async function check(shop, { orders, warm }, { pay }) {
  const client = await openDatabase(shop);
  const { rows } = await client.query(BALANCE);
  await client.end();
  const [{ balanced, orders: kept, paid }] = rows;
  return balanced && kept === orders + warm && (!pay || paid === kept);
}

async function limitOf(shop, wanted, beside) {
  const { port, stop } = await startRowLimit(shop);
  const { perSecond } = await order(shop, { ...wanted, limit: port }, beside);
  await stop();
  return perSecond;
}

async function lineOf(what, wanted, least, beside = nobody) {
  const shop = await startShop({ env });
  const result = await order(shop, wanted, beside);
  const right = await check(shop, result, wanted);
  const bare = await limitOf(shop, wanted, beside);
  await shop.stop();
  const { perSecond, p99, milliseconds } = result;
  const target = least === undefined ? '' : `>= ${least}`;
  const rates = [many(perSecond), target, many(bare), percent(perSecond / bare), many(p99), `< ${MOST_MS}`];
  const ok = right && (least === undefined || (perSecond >= least && p99 < MOST_MS));
  return { cells: [what, ...rates, milliseconds.toFixed(2), right ? 'none refused, none wrong' : 'WRONG'], ok };
}

/** Four customers who only look, as long as orders are counted. */
const readers = (shop) =>
  load(shop, { paths: ['/tool'], headers: { 'accept-encoding': 'br' }, seconds: SECONDS, connections: 4, pauseMs: 10 });

export async function* measure() {
  yield await lineOf('An order, each of a tool of its own', {}, 600);
  yield await lineOf('An order, all of one tool', { hot: true }, 400);
  yield await lineOf(
    'An order of one tool while four others read GET /tool 100 times a second',
    { hot: true },
    undefined,
    readers,
  );
  yield await lineOf('A paid order: order, secret, card, confirmation, settlement', { pay: true }, 120);
}
