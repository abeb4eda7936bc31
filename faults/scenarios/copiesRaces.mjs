import { buyerOf } from '../lib/buyer.mjs';
import { patient } from '../lib/patient.mjs';
import { none } from '../lib/report.mjs';
import { lastPieces } from './stock.mjs';

const times = (count, work) => Promise.all(Array.from({ length: count }, (_, n) => work(n)));

async function sameKey({ client, people, tools }) {
  const buyer = buyerOf(patient(client));
  const entry = buyer.newEntry(people[0], tools[0]);
  const answers = await times(60, () => buyer.place(entry));
  return new Set(answers.map(({ status, text }) => `${status} ${text}`)).size;
}

/** Each order is paid through one copy and deleted through another at the same moment. */
async function deleteAgainstPay({ clients, people, tools }, count) {
  const [one, other] = clients.map((client) => buyerOf(patient(client)));
  const wrong = [];
  await times(count, async (n) => {
    const entry = one.newEntry(people[n % people.length], tools[0]);
    await one.place(entry);
    const [paid, deleted] = await Promise.all([one.pay(entry), other.remove(entry)]);
    const { status, body } = await patient(clients[2]).send('GET', `/order/${entry.order._id}`, {
      token: entry.person.token,
    });
    const isPaid = paid.status === 200 && status === 200 && body.paid && deleted.status === 409;
    const isGone = paid.status !== 200 && status === 404 && deleted.status === 204 && !entry.is.has('charged');
    const isOpen = paid.status !== 200 && status === 200 && !body.paid && deleted.status === 409;
    if (!isPaid && !isGone && !isOpen) wrong.push(`pay ${paid.status}, delete ${deleted.status}, then ${status}`);
  });
  return wrong;
}

export async function races(report, scene, rounds) {
  await lastPieces(report, scene, rounds, 300);
  const answers = await sameKey(scene);
  report.line('60 sendings of one order with one key, different answers', answers, '1', answers === 1);
  const torn = await deleteAgainstPay(scene, rounds * 8);
  report.line(
    `${rounds * 8} orders paid here and deleted there, neither the one nor the other`,
    none(torn),
    '0',
    torn.length === 0,
  );
}
