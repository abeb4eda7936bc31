import { setTimeout as sleep } from 'node:timers/promises';
import { createOrderClient } from './orderClient.mjs';
import { SETTLE_TIMEOUT_MS } from './shopProcess.mjs';

const PARALLEL_CALLS = 8;
const RESPONSE_TIMEOUT_MS = 20_000;

export async function forEachInParallel(list, work, parallelCalls = PARALLEL_CALLS) {
  const remaining = [...list];
  const processRemaining = async () => {
    for (let item = remaining.pop(); item !== undefined; item = remaining.pop()) await work(item);
  };
  await Promise.all(Array.from({ length: parallelCalls }, processRemaining));
}

export async function retryUntilAnswered(send, timeoutMs = RESPONSE_TIMEOUT_MS) {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const response = await send().catch((error) => ({ status: 0, text: error.message, body: {} }));
    if ((response.status !== 503 && response.status !== 0) || performance.now() > deadline) return response;
    await sleep(100);
  }
}

function isSameOrder(entry, found) {
  const { order, orderBody } = entry;
  return (
    found._id === order._id &&
    found.price === order.price &&
    found.totalQuantity === orderBody.totalQuantity &&
    found.address === orderBody.address &&
    found.toolId === orderBody.toolId
  );
}

/** @returns how the stored order differs from what was acknowledged, or undefined */
async function findOrderProblem(client, entry) {
  const { order, person, acknowledged, requested } = entry;
  const read = () => retryUntilAnswered(() => client.send('GET', `/order/${order._id}`, { token: person.token }));
  let found = await read();
  const deadline = performance.now() + SETTLE_TIMEOUT_MS;
  while (acknowledged.has('charged') && found.status === 200 && !found.body.paid && performance.now() < deadline) {
    await sleep(200);
    found = await read();
  }
  if (found.status === 404) return acknowledged.has('paid') || !requested.has('deleted') ? 'is missing' : undefined;
  if (found.status !== 200) return `answers ${found.status}`;
  if (acknowledged.has('deleted')) return 'exists again after it was deleted';
  if (!isSameOrder(entry, found.body)) return 'differs from the acknowledged order';
  if (acknowledged.has('charged') && !found.body.paid) return 'was charged but is not paid';
  if (acknowledged.has('charged') && found.body.transactionId !== entry.intent) return 'is paid by another intent';
  return undefined;
}

/**
 * Checks that every acknowledged write is stored. An order without a response is sent again, which must not create a
 * second one.
 * @returns the problems, as texts
 */
export async function verifyOrders(client, entries) {
  const orderClient = createOrderClient(client);
  const problems = [];
  await forEachInParallel(entries, async (entry) => {
    if (!entry.order) {
      const response = await retryUntilAnswered(() => orderClient.place(entry));
      if (response.status !== 201) return problems.push(`${entry.key}: a retry answers ${response.status}`);
    }
    const problem = await findOrderProblem(client, entry);
    if (problem) problems.push(`${entry.order._id} ${problem}`);
  });
  return problems;
}

export async function listOrders(client, { email, token }) {
  const { body } = await retryUntilAnswered(() =>
    client.send('GET', `/order?email=${encodeURIComponent(email)}`, { token }),
  );
  return body;
}

/**
 * Checks that the list of each user has each of their orders once, and no unknown one unless `hasOtherOrders` is set.
 * @returns the problems, as texts
 */
export async function verifyLists(client, people, entries, hasOtherOrders) {
  const problems = [];
  const byKey = new Map(entries.map((entry) => [entry.key, entry]));
  for (const person of people) {
    const seen = new Set();
    for (const { address } of await listOrders(client, person)) {
      if (seen.has(address)) problems.push(`${address} is listed twice`);
      if (!hasOtherOrders && !byKey.has(address)) problems.push(`${address} is unknown`);
      seen.add(address);
    }
    for (const entry of entries)
      if (entry.person === person && entry.order && !entry.requested.has('deleted') && !seen.has(entry.key))
        problems.push(`${entry.key} is missing`);
  }
  return problems;
}
