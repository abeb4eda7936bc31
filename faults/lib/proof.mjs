import { setTimeout as sleep } from 'node:timers/promises';
import { buyerOf } from './buyer.mjs';

const AT_ONCE = 8;
const ANSWERED_WITHIN_MS = 20_000;
/** What was charged is settled by a webhook or the sweep that comes every minute, not at once. */
const SETTLED_WITHIN_MS = 75_000;

export async function forAll(list, work, atOnce = AT_ONCE) {
  const waiting = [...list];
  const next = async () => {
    for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, next));
}

export async function patiently(ask, within = ANSWERED_WITHIN_MS) {
  const until = performance.now() + within;
  for (;;) {
    const answer = await ask().catch((error) => ({ status: 0, text: error.message, body: {} }));
    if ((answer.status !== 503 && answer.status !== 0) || performance.now() > until) return answer;
    await sleep(100);
  }
}

function sameOrder(entry, found) {
  const { order, draft } = entry;
  return (
    found._id === order._id &&
    found.price === order.price &&
    found.totalQuantity === draft.totalQuantity &&
    found.address === draft.address &&
    found.toolId === draft.toolId
  );
}

/** What is not as it was acknowledged; undefined: all of it is. */
async function complaintOf(client, entry) {
  const { order, person, is, asked } = entry;
  const read = () => patiently(() => client.send('GET', `/order/${order._id}`, { token: person.token }));
  let found = await read();
  const until = performance.now() + SETTLED_WITHIN_MS;
  while (is.has('charged') && found.status === 200 && !found.body.paid && performance.now() < until) {
    await sleep(200);
    found = await read();
  }
  if (found.status === 404) return is.has('paid') || !asked.has('deleted') ? 'is gone' : undefined;
  if (found.status !== 200) return `answers ${found.status}`;
  if (is.has('deleted')) return 'is there again after it was deleted';
  if (!sameOrder(entry, found.body)) return 'is another';
  if (is.has('charged') && !found.body.paid) return 'was charged and is not paid';
  if (is.has('charged') && found.body.transactionId !== entry.intent) return 'is paid by another intent';
  return undefined;
}

/** Every acknowledged write is there; what was never answered can be asked again and happens once. */
export async function prove(client, entries) {
  const buyer = buyerOf(client);
  const complaints = [];
  await forAll(entries, async (entry) => {
    if (!entry.order) {
      const answer = await patiently(() => buyer.place(entry));
      if (answer.status !== 201) return complaints.push(`${entry.key}: asked again it answers ${answer.status}`);
    }
    const complaint = await complaintOf(client, entry);
    if (complaint) complaints.push(`${entry.order._id} ${complaint}`);
  });
  return complaints;
}

export async function ordersOf(client, { email, token }) {
  const { body } = await patiently(() => client.send('GET', `/order?email=${encodeURIComponent(email)}`, { token }));
  return body;
}

/** The whole lists of all people at the end: each order once, and none that nobody placed (unless others did). */
export async function proveLists(client, people, entries, others) {
  const complaints = [];
  const byKey = new Map(entries.map((entry) => [entry.key, entry]));
  for (const person of people) {
    const seen = new Set();
    for (const { address } of await ordersOf(client, person)) {
      if (seen.has(address)) complaints.push(`${address} is there twice`);
      if (!others && !byKey.has(address)) complaints.push(`${address} was placed by nobody`);
      seen.add(address);
    }
    for (const entry of entries)
      if (entry.person === person && entry.order && !entry.asked.has('deleted') && !seen.has(entry.key))
        complaints.push(`${entry.key} is missing`);
  }
  return complaints;
}
