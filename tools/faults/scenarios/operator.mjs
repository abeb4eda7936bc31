import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createPeople, createPerson, refreshAdminToken, signInAdmin } from '../lib/accounts.mjs';
import { createClient } from '../lib/client.mjs';
import { createOrderClient } from '../lib/orderClient.mjs';
import { formatList } from '../lib/report.mjs';
import { withRetries } from '../lib/retryingClient.mjs';
import { runUnderLoad } from '../lib/scenario.mjs';
import { openCopies, stopCopies } from '../lib/shopCopies.mjs';
import { createShop, runCommand, runDoctor } from '../lib/shopProcess.mjs';
import { hasSystemPostgres, NEEDS_SYSTEM_POSTGRES, startSystemPostgres } from '../lib/systemPostgres.mjs';
import { createTempFolder } from '../lib/tempFolder.mjs';
import { verifyLists, verifyOrders } from '../lib/verifyOrders.mjs';
import { root } from '../../../scripts/install.mjs';
import { loadTestKit } from '../../lib/testKit.mjs';

const MIGRATIONS = join(root, 'server/db/migrations');
const BREAKPOINT = '--> statement-breakpoint';
const MAX_WAIT_MS = 1_000;
const FAIL_TIMEOUT_MS = 120_000;
const NUMBERING_TIMEOUT_MS = 600_000;
/** With fewer customers, each would reach the limit of unpaid holds, because they delete orders for half an hour. */
const MORE_PEOPLE = 54;

/** Applies all migrations but the newest. */
async function createPreviousSchema(client) {
  await client.query(`create schema drizzle; create table drizzle.__drizzle_migrations
    (id serial primary key, hash text not null, created_at bigint)`);
  const { entries } = JSON.parse(readFileSync(join(MIGRATIONS, 'meta/_journal.json'), 'utf8'));
  for (const { tag, when } of entries.slice(0, -1)) {
    const text = readFileSync(join(MIGRATIONS, `${tag}.sql`), 'utf8');
    for (const statement of text.split(BREAKPOINT)) await client.query(statement);
    const hash = createHash('sha256').update(text).digest('hex');
    await client.query('insert into drizzle.__drizzle_migrations (hash, created_at) values ($1, $2)', [hash, when]);
  }
}

/** Adds old orders. Of ten, nine are paid and shipped, and one is unpaid. Demo tools bring the demo's accounts. */
async function addOldOrders(client, count) {
  await client.query(`
    insert into users (id, email) select 'old-' || n, 'old-' || n || '@mail.example' from generate_series(0, 999) n;
    insert into tools (name, price, minimum_order_quantity, available_quantity, stocked_quantity, description, img, demo)
      values ('Old tool', 3, 1, 5, 5, 'Sold for years.', '/images/placeholder.svg', true);
    insert into orders (owner_id, email, client, tool_id, product_name, quantity, address, phone, unit_price, state,
        holds_stock, shipped_at, created_at)
      select 'old-' || n % 1000, 'old-' || n % 1000 || '@mail.example', 'Old customer', t.id, t.name, 1,
        n || ' Main Street', '5551234', 3, case when n % 10 = 0 then 'unpaid' else 'paid' end, n % 10 > 0,
        case when n % 10 > 0 then now() - interval '60 days' end, now() - interval '61 days' - n * interval '1 second'
      from tools t, generate_series(1, ${count}) n;
    insert into payments (intent_id, order_id, amount_cents, currency, created_at)
      select 'pi_' || md5(id::text), id, 300, 'usd', created_at from orders where state = 'paid';
    update tools set stocked_quantity = 5 + (select count(*) from orders where holds_stock)`);
  await client.query('vacuum analyze orders, payments');
}

async function openDatabase(url) {
  const { Client } = createRequire(join(root, 'package.json'))('pg');
  const client = new Client(url);
  await client.connect();
  return client;
}

/** Writes as the previous version does, until `stop` is called, which returns how long each write took. */
function startWriting(client) {
  const times = [];
  let isRunning = true;
  const write = async () => {
    for (; isRunning; await sleep(20)) {
      const startedAt = performance.now();
      await client.query(`update orders set phone = '5551235' where id = (select order_id from payments limit 1)`);
      times.push(performance.now() - startedAt);
    }
    return times;
  };
  const written = write();
  return { stop: () => ((isRunning = false), written) };
}

async function migrate(report, postgres, count, seed) {
  const client = await openDatabase(postgres.url);
  await createPreviousSchema(client);
  await addOldOrders(client, count);
  const { stop } = startWriting(client);
  const startedAt = performance.now();
  const scenario = await openCopies(seed, postgres.url, {}, 2);
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  const times = await stop();
  await client.end();
  scenario.people.push(...(await createPeople(scenario.client, MORE_PEOPLE)));
  report.checkTimes(`writes while two servers migrated ${count} orders and started (${seconds} s)`, times, MAX_WAIT_MS);
  return scenario;
}

async function read({ client, admin }, { order }) {
  const { token } = await refreshAdminToken(client, admin);
  return (await client.send('GET', `/order/${order._id}`, { token })).body;
}
async function act({ client, admin }, { order }, name, body) {
  const { token } = await refreshAdminToken(client, admin);
  return client.send('POST', `/order/${order._id}/${name}`, { token, body });
}
const requestRefund = (scenario, entry) => act(scenario, entry, 'refund', { reason: 'a fault test', restock: true });
const ship = (scenario, entry) => act(scenario, entry, 'shipment', { carrier: 'UPS', tracking: '1Z' });

async function createPaidOrder(scenario, person, card) {
  const orderClient = createOrderClient(withRetries(scenario.client));
  const entry = orderClient.createEntry(person, scenario.tools[0]);
  entry.card = card;
  await orderClient.place(entry);
  await orderClient.pay(entry);
  return entry;
}

/** The provider refuses the refund, so the operator pays by bank transfer. */
async function payBack(report, scenario) {
  const entry = await createPaidOrder(scenario, await createPerson(scenario.client), loadTestKit().CARDS.refundFails);
  await requestRefund(scenario, entry);
  for (const endsAt = Date.now() + FAIL_TIMEOUT_MS; Date.now() < endsAt; await sleep(500))
    if ((await read(scenario, entry)).refundFailed) break;
  const { status, output } = await runCommand(scenario.shops[0], 'doctor', '--returned', entry.intent);
  const statuses = [await requestRefund(scenario, entry), await ship(scenario, entry)].map((answer) => answer.status);
  const found = [status, (await read(scenario, entry)).status, ...statuses].join(' ');
  report.check(
    'doctor --returned, the order, a second refund and a shipment',
    found,
    '0 refunded 409 409',
    found === '0 refunded 409 409',
  );
  if (status !== 0) report.note(output);
}

/** The sweep gives the payments of the previous version their invoice numbers. */
async function waitUntilNumbered(report, postgres, database) {
  const unnumbered = `select count(*) from payments where outcome = 'paid' and invoice is null`;
  const startedAt = performance.now();
  const seconds = () => Math.round((performance.now() - startedAt) / 1_000);
  while (postgres.sql(unnumbered, database) !== '0' && seconds() * 1_000 < NUMBERING_TIMEOUT_MS) await sleep(1_000);
  const left = postgres.sql(unnumbered, database);
  report.check(`payments without an invoice number after ${seconds()} s in ${database}`, left, '0', left === '0');
}

async function restoreCopy(report, scenario, postgres, file) {
  const entry = await createPaidOrder(scenario, await createPerson(scenario.client), loadTestKit().CARDS.refundPending);
  await requestRefund(scenario, entry);
  const saved = await runCommand(scenario.shops[0], 'backup', file);
  if (saved.status !== 0) throw new Error(`backup exited with ${saved.status}: ${saved.output}`);
  postgres.sql('create database copy');
  const copy = await createShop({ DATABASE_URL: postgres.url.replace(/postgres$/, 'copy') });
  const restored = await runCommand(copy, 'restore', file);
  if (restored.status !== 0) throw new Error(`restore exited with ${restored.status}: ${restored.output}`);
  await copy.start();
  const client = createClient(copy.origin);
  const { status, body } = await requestRefund({ client, admin: await signInAdmin(client) }, entry);
  client.close();
  const refused = `${status} ${body.code}`;
  report.check(
    "the copy's refund of a payment of the original",
    refused,
    '409 payment_of_original',
    refused === '409 payment_of_original',
  );
  await waitUntilNumbered(report, postgres, 'copy');
  await runDoctor(report, copy, 'the doctor on the copy');
}

async function erase(report, scenario, postgres) {
  const person = await createPerson(scenario.client, 'Erika Mustermann');
  const { CARDS } = loadTestKit();
  await ship(scenario, await createPaidOrder(scenario, person, CARDS.pays));
  const orderClient = createOrderClient(withRetries(scenario.client));
  await orderClient.place(orderClient.createEntry(person, scenario.tools[0]));
  const { status, output } = await runCommand(scenario.shops[0], 'users', 'erase', person.email);
  const left = postgres.sql(`select (select count(*) from orders where email = '${person.email}')
    + (select count(*) from mails where recipient = '${person.email}')
    + (select count(*) from embedded_identity.accounts where email = '${person.email}')`);
  report.check(
    'erasing a customer, and rows with the email',
    `${status} ${left}`,
    '0 0',
    `${status} ${left}` === '0 0',
  );
  if (status !== 0) report.note(output);
  const busy = await runCommand(scenario.shops[0], 'users', 'erase', scenario.people[0].email);
  report.check('erasing a customer with open orders', busy.status, '1', busy.status === 1);
}

/** An operator works while customers order. */
export async function operator({ report, chooseSize, seed }) {
  if (!hasSystemPostgres()) return report.note(`Not run: ${NEEDS_SYSTEM_POSTGRES}.`);
  const postgres = await startSystemPostgres();
  const scenario = await migrate(report, postgres, chooseSize(1_000_000, 20_000), seed);
  await runUnderLoad(scenario, async () => {
    await payBack(report, scenario);
    await restoreCopy(report, scenario, postgres, `${createTempFolder()}/shop.backup`);
    await erase(report, scenario, postgres);
  });
  const { client, people, entries, unexpectedResponses, shops } = scenario;
  const problems = [...(await verifyOrders(client, entries)), ...(await verifyLists(client, people, entries))];
  report.check(`problems with ${entries.length} orders of customers`, formatList(problems), '0', problems.length === 0);
  report.check('unexpected responses', formatList(unexpectedResponses), '0', unexpectedResponses.length === 0);
  // The refund that fails is logged as an error.
  for (const shop of shops) shop.errors = shop.errors.filter((line) => !line.includes('"msg":"refund failed"'));
  await waitUntilNumbered(report, postgres, 'postgres');
  await runDoctor(report, shops[0]);
  await stopCopies(scenario);
}
