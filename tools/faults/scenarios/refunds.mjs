import { setTimeout as sleep } from 'node:timers/promises';
import { refreshAdminToken } from '../lib/accounts.mjs';
import { LostResponse } from '../lib/client.mjs';
import { createOrderClient } from '../lib/orderClient.mjs';
import { formatList } from '../lib/report.mjs';
import { withRetries } from '../lib/retryingClient.mjs';
import { openCopies, stopCopies } from '../lib/shopCopies.mjs';
import { runDoctor } from '../lib/shopProcess.mjs';
import { hasSystemPostgres, NEEDS_SYSTEM_POSTGRES, startSystemPostgres } from '../lib/systemPostgres.mjs';
import { loadTestKit } from '../../lib/testKit.mjs';

const ORDERS_PER_ROUND = 4;
const CLICKS = 5;
/** A pending refund of the sandbox takes 10 s, and each step of the sweep waits for the next minute. */
const FINISH_TIMEOUT_MS = 300_000;
const EXPECTED_STATUSES = [200, 409, 502, 503, 504, 507];

async function createPaidOrder({ client, people, tools, random }) {
  const orderClient = createOrderClient(withRetries(client, { serversAreKilled: true }));
  const entry = orderClient.createEntry(random.pick(people), random.pick(tools), random.integer(1, 3));
  const { CARDS } = loadTestKit();
  entry.card = random.pick([CARDS.pays, CARDS.pays, CARDS.refundPending]);
  await orderClient.place(entry);
  await orderClient.pay(entry);
  return entry;
}

/**
 * Creates a late payment: the price changes while the customer pays, so that the payment no longer matches the order.
 */
async function createLatePayment(scenario, postgres) {
  const { client, people, tools, random } = scenario;
  const orderClient = createOrderClient({
    ...client,
    send: async (method, path, options) => {
      if (path.endsWith('/confirm'))
        postgres.sql(`update orders set unit_price = unit_price + 1 where id = '${entry.order._id}'`);
      return withRetries(client, { serversAreKilled: true }).send(method, path, options);
    },
  });
  const entry = orderClient.createEntry(random.pick(people), random.pick(tools));
  await orderClient.place(entry);
  await orderClient.pay(entry);
  return entry;
}

/** Records in `entry.acknowledged` whether the shop acknowledged the refund. */
async function requestRefund({ clients, admin, unexpectedResponses }, entry, n) {
  const body = { reason: 'a fault test', restock: n % 2 === 0 };
  try {
    const path = `/order/${entry.order._id}/refund`;
    const { status, text } = await clients[n % clients.length].send('POST', path, { token: admin.token, body });
    if (!EXPECTED_STATUSES.includes(status)) unexpectedResponses.push(`${status} ${text.slice(0, 200)}`);
    if (status === 200) entry.acknowledged.add('refunded');
  } catch (error) {
    if (!(error instanceof LostResponse)) throw error;
  }
}

const requestAllRefunds = (scenario, entries, clicks = CLICKS) =>
  Promise.all(entries.flatMap((entry) => Array.from({ length: clicks }, (_, n) => requestRefund(scenario, entry, n))));

/** Kills a server during refunds. Every fifth round also restarts PostgreSQL, with the data of the payment sandbox. */
async function breakOnce(scenario, postgres, entries, round) {
  const { shops, random } = scenario;
  const pendingRequests = requestAllRefunds(scenario, entries);
  await sleep(random.integer(0, 250));
  const shop = shops[round % shops.length];
  await shop.stop('SIGKILL');
  if (round % 5 === 4) postgres.restart('immediate');
  await pendingRequests;
  await shop.start();
}

const OPEN_COUNT_SQL = `
  select (select count(*) from refunds where state in ('requested', 'pending'))
    + (select count(*) from payments p where outcome = 'refund due' and returned_at is null)`;

async function waitUntilFinished(postgres) {
  for (const endAt = Date.now() + FINISH_TIMEOUT_MS; Date.now() < endAt; await sleep(1_000))
    if (postgres.sql(OPEN_COUNT_SQL) === '0') return;
}

const quotedIntentIds = (entries) => entries.map(({ intent }) => `'${intent}'`).join(', ') || "''";

/** @returns the payments that were not refunded exactly once and in full */
function findWrongRefunds(postgres, entries) {
  const rows = postgres.sql(`
    select i.id || ': ' || count(r.id) || ' refunds of ' || coalesce(sum(r.amount), 0) || ' for ' || i.amount
    from embedded_stripe.intents i left join embedded_stripe.refunds r on r.intent_id = i.id and r.status = 'succeeded'
    where i.id in (${quotedIntentIds(entries)}) group by i.id having count(r.id) <> 1 or sum(r.amount) <> i.amount`);
  return rows.split('\n').filter(Boolean);
}

const countOf = (postgres, query) => Number(postgres.sql(`select count(*) from ${query}`));

function checkResults(report, postgres, { rounds, paid, late, lost, unexpectedResponses }) {
  const wrongRefunds = findWrongRefunds(postgres, paid);
  const title = `after killing a server ${rounds} times (of ${paid.length} orders, each refunded with ${CLICKS} clicks)`;
  report.check(`acknowledged refunds lost ${title}`, formatList(lost), '0', lost.length === 0);
  report.check(
    'orders whose payment was not refunded exactly once and in full',
    formatList(wrongRefunds),
    '0',
    wrongRefunds.length === 0,
  );
  const unmarked = countOf(
    postgres,
    `payments p join orders o on o.id = p.order_id and p.outcome = 'paid'
    where p.intent_id in (${quotedIntentIds(paid)}) and o.state <> 'refunded'`,
  );
  report.check('refunded orders that are not marked as refunded', unmarked, '0', unmarked === 0);
  const mails = countOf(postgres, "mails where kind = 'refunded'");
  report.check('emails about refunds', mails, paid.length, mails === paid.length);
  const wrongReturns = findWrongRefunds(postgres, late);
  const label = `late payments not refunded exactly once and in full (of ${late.length})`;
  report.check(label, formatList(wrongReturns), '0', wrongReturns.length === 0);
  report.check('unexpected responses', formatList(unexpectedResponses), '0', unexpectedResponses.length === 0);
}

/** Kills two servers on one database in turn, while an admin refunds orders and late money is returned. */
export async function refunds({ report, chooseSize, seed }) {
  if (!hasSystemPostgres()) return report.note(`Not run: ${NEEDS_SYSTEM_POSTGRES}.`);
  const postgres = await startSystemPostgres();
  const scenario = await openCopies(seed, postgres.url, {}, 2);
  const rounds = chooseSize(100, 8);
  const [paid, late] = [[], []];
  for (let round = 0; round < rounds; round++) {
    await refreshAdminToken(withRetries(scenario.client), scenario.admin);
    const entries = await Promise.all(Array.from({ length: ORDERS_PER_ROUND }, () => createPaidOrder(scenario)));
    if (round % 4 === 0) late.push(await createLatePayment(scenario, postgres));
    await breakOnce(scenario, postgres, entries, round);
    paid.push(...entries);
  }
  const stored = new Set(postgres.sql('select payment_id from refunds').split('\n'));
  const lost = paid.filter(({ acknowledged, intent }) => acknowledged.has('refunded') && !stored.has(intent));
  await requestAllRefunds(scenario, paid, 1);
  await waitUntilFinished(postgres);
  const results = {
    rounds,
    paid,
    late,
    lost: lost.map(({ intent }) => intent),
    unexpectedResponses: scenario.unexpectedResponses,
  };
  checkResults(report, postgres, results);
  const [shop] = scenario.shops;
  // Late payments are expected here, and the server logs each as an error because it must be refunded.
  shop.errors = shop.errors.filter((line) => !line.includes('"msg":"payment must be refunded"'));
  await runDoctor(report, shop);
  await stopCopies(scenario);
}
