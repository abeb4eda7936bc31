import { createClient } from '../lib/client.mjs';
import { createOrderClient } from '../lib/orderClient.mjs';
import { createPerson, createTools, putUser, refreshAdminToken, signInAdmin } from '../lib/accounts.mjs';
import { createTempFolder } from '../lib/tempFolder.mjs';
import { forEachInParallel } from '../lib/verifyOrders.mjs';
import { createRandom } from '../../lib/seededRandom.mjs';
import { formatList } from '../lib/report.mjs';
import { runDoctor, createShop } from '../lib/shopProcess.mjs';
import { findSchemaViolation } from '../fuzzing/findSchemaViolation.mjs';
import { sendAndFindProblem, shrinkRequest } from '../fuzzing/checkResponse.mjs';
import { createRandomRequest, createHostileRequests, listOperations } from '../fuzzing/requests.mjs';

const MAX_IDS = 50;

async function openFuzzScenario() {
  const shop = await createShop({ DATA_DIR: `${createTempFolder()}/data` });
  await shop.start();
  const client = createClient(shop.origin, 16);
  const [ann, bob, admin] = [await createPerson(client), await createPerson(client), await signInAdmin(client)];
  const tools = await createTools(client, admin, 3);
  const orderClient = createOrderClient(client);
  const entries = [ann, ann, bob].map((person) => orderClient.createEntry(person, tools[0]));
  for (const entry of entries) await orderClient.place(entry);
  const tokens = { ann: ann.token, bob: bob.token, admin: admin.token, garbage: 'garbage' };
  return { shop, client, ann, bob, admin, tokens, tools, entries, statuses: {} };
}

/** Values that mostly exist, so that requests pass the first checks. */
function createKnownValues({ ann, bob, admin, tools, entries }) {
  const ids = [...tools.map(({ _id }) => _id), ...entries.map(({ order }) => order._id)].slice(0, MAX_IDS);
  const validValues = {
    productName: (random) => random.pick(tools).name,
    toolId: (random) => random.pick(tools)._id,
    totalQuantity: (random) => random.integer(1, 5),
    order: (random) => random.pick(ids),
    email: () => undefined,
    price: () => 7,
  };
  return {
    ids: () => ids,
    emails: [ann.email, bob.email, admin.email, 'nobody@mail.example'],
    chooseValidValue: (name, random) => (random.chance(0.9) ? validValues[name]?.(random) : undefined),
  };
}

async function findAllProblems(scenario, requests, problems) {
  await forEachInParallel(requests, async (fuzzRequest) => {
    scenario.tokens.admin = (await refreshAdminToken(scenario.client, scenario.admin)).token;
    const problem = await sendAndFindProblem(scenario, fuzzRequest);
    if (problem && problems.length < 5)
      problems.push(`${problem}: ${JSON.stringify(await shrinkRequest(scenario, fuzzRequest, problem))}`);
    else if (problem) problems.push(problem);
  });
}

/** Checks that the stored values satisfy the contract with which they were created. */
async function checkStoredData({ client, admin, ann, bob }, operations) {
  const bodySchemaOf = (path) => operations.find((operation) => operation.path === path && operation.body).body;
  const read = async (path) => (await client.send('GET', path, { token: admin.token })).body;
  const problems = [];
  for (const [list, fields] of [
    ['/tool', ['name', 'price', 'minimumOrderQuantity', 'availableQuantity', 'description', 'img']],
    ['/review', ['description', 'ratings', 'img']],
    ['/order', ['productName', 'address', 'phone', 'totalQuantity']],
  ]) {
    const schema = { ...bodySchemaOf(list), required: fields };
    for (const row of await read(list)) {
      const stored = Object.fromEntries(fields.map((name) => [name, row[name]]));
      const violation = findSchemaViolation(schema, stored, list);
      if (violation) problems.push(violation);
    }
  }
  for (const { email } of [ann, bob, admin]) {
    const profile = await read(`/profile/${encodeURIComponent(email)}`);
    const violation = profile.address && findSchemaViolation(bodySchemaOf('/profile'), profile, '/profile');
    if (violation) problems.push(violation);
  }
  const admins = (await read('/user')).filter(({ role }) => role === 'admin').map(({ email }) => email);
  return { problems, admins };
}

export async function fuzz({ report, chooseSize, short, seed }) {
  const scenario = await openFuzzScenario();
  const operations = listOperations((await scenario.client.send('GET', '/openapi.json')).body);
  const random = createRandom(seed);
  const knownValues = createKnownValues(scenario);
  // Excluded, because a promotion or a sign-out would change what the callers may do.
  const calls = operations.filter(({ path }) => path !== '/user/admin/{email}' && path !== '/session');
  const hostileProblems = [];
  const hostileRequests = [...createHostileRequests(calls, random, knownValues)].filter(
    (_, n) => !short || n % 5 === 0,
  );
  await findAllProblems(scenario, hostileRequests, hostileProblems);
  report.check(
    `${hostileRequests.length} hostile texts in fields: unexpected responses`,
    formatList(hostileProblems),
    '0',
    hostileProblems.length === 0,
  );
  const randomRequests = Array.from({ length: chooseSize(10_000, 1_500) }, () =>
    createRandomRequest(calls, random, knownValues),
  );
  const randomProblems = [];
  await findAllProblems(scenario, randomRequests, randomProblems);
  const label = `${randomRequests.length} random requests (seed ${seed}): unexpected responses`;
  report.check(label, formatList(randomProblems), '0', randomProblems.length === 0);
  report.note(`responses: ${JSON.stringify(scenario.statuses)}`);
  await refreshAdminToken(scenario.client, scenario.admin);
  const stored = await checkStoredData(scenario, operations);
  report.check(
    'stored values that violate the contract',
    formatList(stored.problems),
    '0',
    stored.problems.length === 0,
  );
  const hasOneAdmin =
    stored.admins.length === 1 &&
    (await putUser(scenario.client, scenario.ann.email, scenario.ann.idToken)).body.role !== 'admin';
  report.check('admins after all requests', stored.admins.join(', '), 'only the demo admin', hasOneAdmin);
  await runDoctor(report, scenario.shop);
}
