import { createOrderClient } from '../lib/orderClient.mjs';
import { stopCopies, openCopies } from '../lib/shopCopies.mjs';
import { withRetries } from '../lib/retryingClient.mjs';
import { createPerson, putUser } from '../lib/accounts.mjs';

const countStatus = (responses, status) => responses.filter((response) => response.status === status).length;

/** Sends more orders and sign-ins of one user than the limit per minute allows, to all copies in turn. */
export async function checkSharedLimits(report, databaseUrl, seed) {
  const scenario = await openCopies(seed, databaseUrl, { RATE_LIMIT: 'on' });
  const { tools } = scenario;
  const client = withRetries(scenario.client);
  const person = await createPerson(client);
  const orderClient = createOrderClient(client);
  const placed = [];
  for (let n = 0; n < 90; n++) placed.push(await orderClient.place(orderClient.createEntry(person, tools[0])));
  const orderCounts = [countStatus(placed, 201), countStatus(placed, 429)].join(' accepted, ');
  report.check(
    '90 orders by a single user, sent to three servers in turn',
    `${orderCounts} refused`,
    '60 accepted, 30 refused',
    orderCounts === '60 accepted, 30',
  );
  const signIns = [];
  for (let n = 0; n < 15; n++) signIns.push(await putUser(client, person.email, person.idToken));
  const sessionCounts = [countStatus(signIns, 200) + 1, countStatus(signIns, 429)].join(' created, ');
  report.check(
    '16 sign-ins by a single user, sent to three servers in turn',
    `${sessionCounts} refused`,
    '10 created, 6 refused',
    sessionCounts === '10 created, 6',
  );
  await stopCopies(scenario);
}
