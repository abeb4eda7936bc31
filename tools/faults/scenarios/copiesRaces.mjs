import { createOrderClient } from '../lib/orderClient.mjs';
import { withRetries } from '../lib/retryingClient.mjs';
import { formatList } from '../lib/report.mjs';
import { checkLastPieces } from './stock.mjs';

const runInParallel = (count, work) => Promise.all(Array.from({ length: count }, (_, n) => work(n)));

/** @returns the number of different responses */
async function countResponsesToSameKey({ client, people, tools }) {
  const orderClient = createOrderClient(withRetries(client));
  const entry = orderClient.createEntry(people[0], tools[0]);
  const responses = await runInParallel(60, () => orderClient.place(entry));
  return new Set(responses.map(({ status, text }) => `${status} ${text}`)).size;
}

/** Pays each order through one server and deletes it through a different one at the same time. */
async function raceDeleteAndPay({ clients, people, tools }, count) {
  const [payClient, deleteClient] = clients.map((client) => createOrderClient(withRetries(client)));
  const wrong = [];
  await runInParallel(count, async (n) => {
    const entry = payClient.createEntry(people[n % people.length], tools[0]);
    await payClient.place(entry);
    const [paid, deleted] = await Promise.all([payClient.pay(entry), deleteClient.remove(entry)]);
    const { status, body } = await withRetries(clients[2]).send('GET', `/order/${entry.order._id}`, {
      token: entry.person.token,
    });
    const isPaid = paid.status === 200 && status === 200 && body.paid && deleted.status === 409;
    const isDeleted =
      paid.status !== 200 && status === 404 && deleted.status === 204 && !entry.acknowledged.has('charged');
    const isUnpaid = paid.status !== 200 && status === 200 && !body.paid && deleted.status === 409;
    if (!isPaid && !isDeleted && !isUnpaid)
      wrong.push(`paying answered ${paid.status}, deleting ${deleted.status}, and reading the order ${status}`);
  });
  return wrong;
}

export async function checkRaces(report, scenario, rounds) {
  await checkLastPieces(report, scenario, rounds, 300);
  const responseCount = await countResponsesToSameKey(scenario);
  report.check(
    'the same order sent 60 times with one key: number of different responses',
    responseCount,
    '1',
    responseCount === 1,
  );
  const inconsistent = await raceDeleteAndPay(scenario, rounds * 8);
  report.check(
    `${rounds * 8} orders paid and deleted at the same time: inconsistent outcomes`,
    formatList(inconsistent),
    '0',
    inconsistent.length === 0,
  );
}
