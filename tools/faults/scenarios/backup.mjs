import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '../lib/client.mjs';
import { withRetries } from '../lib/retryingClient.mjs';
import { signInAdmin } from '../lib/accounts.mjs';
import { createTempFolder } from '../lib/tempFolder.mjs';
import { hasSystemPostgres, startSystemPostgres } from '../lib/systemPostgres.mjs';
import { listOrders } from '../lib/verifyOrders.mjs';
import { formatList } from '../lib/report.mjs';
import { openScenario, runUnderLoad } from '../lib/scenario.mjs';
import { runCommand, runDoctor, createShop } from '../lib/shopProcess.mjs';

/** Reads everything that these users can see, as text, so that two shops can be compared. */
async function readAllResponses({ origin }, people, admin) {
  const client = withRetries(createClient(origin));
  const read = (path, person) =>
    client.send('GET', path, { token: person?.token }).then(({ status, text }) => `${status} ${text}`);
  const responses = { tools: await read('/tool'), reviews: await read('/review') };
  responses.orders = await read('/order', admin);
  responses.users = await read('/user', admin);
  for (const person of people) {
    const email = encodeURIComponent(person.email);
    responses[`orders of ${email}`] = await read(`/order?email=${email}`, person);
    responses[`profile of ${email}`] = await read(`/profile/${email}`, person);
  }
  client.close();
  return responses;
}

const findDifferences = (first, second) =>
  Object.keys(first)
    .filter((name) => first[name] !== second[name])
    .map((name) => `${name}: ${first[name].slice(0, 60)} / ${second[name].slice(0, 60)}`);

async function startRestored(env, file) {
  const shop = await createShop(env);
  const { status, output } = await runCommand(shop, 'restore', file, '--move');
  if (status !== 0) throw new Error(`restore exited with ${status}: ${output}`);
  await shop.start();
  return shop;
}

const createEnvironment = () => ({ DATA_DIR: `${createTempFolder()}/data` });

/** Takes a backup under load. It must contain every order that was acknowledged before it started. */
async function backUpUnderLoad(scenario, file) {
  let placedBefore = [];
  let result;
  const load = await runUnderLoad(scenario, async (ledger) => {
    await sleep(1_500);
    placedBefore = ledger.entries.filter(({ acknowledged }) => acknowledged.has('placed'));
    result = await runCommand(scenario.shop, 'backup', file);
    await sleep(300);
  });
  if (result.status !== 0) throw new Error(`backup exited with ${result.status}: ${result.output}`);
  return {
    expectedEntries: placedBefore.filter(({ requested }) => !requested.has('deleted')),
    total: load.entries.length,
  };
}

async function findMissing(shop, people, expectedEntries) {
  const client = createClient(shop.origin);
  const restoredAddresses = new Set();
  for (const person of people)
    for (const { address } of await listOrders(client, person)) restoredAddresses.add(address);
  return expectedEntries.filter(({ key }) => !restoredAddresses.has(key)).map(({ key }) => key);
}

export async function backup({ report, seed }) {
  const scenario = await openScenario(seed);
  const { shop, client, people } = scenario;
  const admin = await signInAdmin(client);
  const file = `${scenario.folder}/shop.backup`;
  const { expectedEntries, total } = await backUpUnderLoad(scenario, file);
  const restoredShop = await startRestored(createEnvironment(), file);
  const lost = await findMissing(restoredShop, people, expectedEntries);
  const label = `orders missing from a backup under load (of ${expectedEntries.length} acknowledged before it, ${total} sent in all)`;
  report.check(label, formatList(lost), '0', lost.length === 0);
  await runDoctor(report, restoredShop, 'the doctor on the restored shop');
  const idleBackup = `${scenario.folder}/quiet.backup`;
  await runCommand(shop, 'backup', idleBackup);
  const restoredAgain = await startRestored(createEnvironment(), idleBackup);
  const responses = await readAllResponses(shop, people, admin);
  const bytes = Object.values(responses).join('').length;
  const compare = async (restored, where) => {
    const differences = findDifferences(responses, await readAllResponses(restored, people, admin));
    const label = `responses that differ after restoring into ${where} (${bytes} bytes compared)`;
    report.check(label, formatList(differences), '0', differences.length === 0);
  };
  await compare(restoredAgain, 'a data folder');
  if (hasSystemPostgres()) {
    const { url } = await startSystemPostgres();
    await compare(await startRestored({ DATABASE_URL: url }, idleBackup), 'an external PostgreSQL');
  }
  await runDoctor(report, shop);
}
