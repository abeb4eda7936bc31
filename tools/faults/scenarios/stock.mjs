import { createOrderClient } from '../lib/orderClient.mjs';
import { withRetries } from '../lib/retryingClient.mjs';
import { createPeople, createTool, signInAdmin } from '../lib/accounts.mjs';
import { NEEDS_SYSTEM_POSTGRES, hasSystemPostgres, startSystemPostgres } from '../lib/systemPostgres.mjs';
import { formatList } from '../lib/report.mjs';
import { openScenario } from '../lib/scenario.mjs';
import { runDoctor } from '../lib/shopProcess.mjs';

const PIECES = 100;
/** Many, because the shop refuses orders of a customer who has 100 unpriced orders. */
const CUSTOMERS = 100;

const isExpectedResponse = ({ status, body }) =>
  status === 201 || (status === 409 && body.code === 'too_many_unpriced_orders');

async function sellOut({ client, admin, people }, orderCount) {
  const tool = await createTool(client, admin, { availableQuantity: PIECES });
  const orderClient = createOrderClient(withRetries(client));
  const entries = Array.from({ length: orderCount }, (_, n) =>
    orderClient.createEntry(people[n % people.length], tool),
  );
  const responses = await Promise.all(entries.map(orderClient.place));
  const sold = responses.filter(({ status, body }) => status === 201 && body.price !== null).length;
  const { body } = await withRetries(client).send('GET', `/tool/${tool._id}`);
  return {
    sold,
    unexpected: responses.filter((response) => !isExpectedResponse(response)).length,
    remaining: body.availableQuantity,
  };
}

/** Sells the last pieces of a tool to more concurrent orders than there are pieces. */
export async function checkLastPieces(report, scenario, rounds, orderCount) {
  const results = [];
  const people = await createPeople(scenario.client, CUSTOMERS);
  for (let n = 0; n < rounds; n++) results.push(await sellOut({ ...scenario, people }, orderCount));
  const wrong = results.filter(
    ({ sold, unexpected, remaining }) => sold !== PIECES || unexpected > 0 || remaining !== 0,
  );
  const details = formatList(
    wrong.map(
      ({ sold, remaining, unexpected }) => `${sold} sold, ${remaining} left, ${unexpected} unexpected responses`,
    ),
  );
  const label = `runs in which ${orderCount} orders did not buy exactly the last ${PIECES} pieces (of ${rounds} runs)`;
  report.check(label, details, '0', wrong.length === 0);
}

async function sellOutOn(report, seed, rounds, env) {
  const scenario = await openScenario(seed, env);
  await checkLastPieces(report, { ...scenario, admin: await signInAdmin(scenario.client) }, rounds, 1_000);
  await runDoctor(report, scenario.shop);
  await scenario.shop.stop('SIGTERM');
}

export async function stock({ report, chooseSize, seed }) {
  const rounds = chooseSize(50, 2);
  await sellOutOn(report, seed, rounds);
  if (!hasSystemPostgres()) return report.note(`Not run with an external PostgreSQL: ${NEEDS_SYSTEM_POSTGRES}.`);
  const { url } = await startSystemPostgres();
  await sellOutOn(report, seed, rounds, { DATABASE_URL: url });
}
