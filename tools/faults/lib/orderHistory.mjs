import { setTimeout as sleep } from 'node:timers/promises';
import { LostResponse } from './client.mjs';
import { forEachInParallel, retryUntilAnswered } from './verifyOrders.mjs';

const READERS = 4;
const PAUSE_MS = 20;
/** Reads prefer recent orders, because old ones rarely change. */
const RECENT_ORDERS = 50;

function stateOf({ status, body }) {
  if (status === 404) return 'missing';
  if (status === 200) return body.paid ? 'paid' : 'unpaid';
  return undefined;
}

/**
 * Reads orders through the load balancer while they are placed, paid and deleted. Each entry's `reads` get when a read
 * began and ended, and what it found.
 * @returns a function that ends the reading
 */
export function startReading({ client, random }, getEntries) {
  let isRunning = true;
  async function readOne() {
    const entries = getEntries();
    const oldest = Math.max(0, entries.length - RECENT_ORDERS);
    const entry = entries.length > 0 ? entries[random.integer(oldest, entries.length - 1)] : undefined;
    if (!entry?.order) return;
    const from = performance.now();
    const response = await client.send('GET', `/order/${entry.order._id}`, { token: entry.person.token });
    const state = stateOf(response);
    if (state) entry.reads.push({ from, to: performance.now(), state });
  }
  async function runReader() {
    while (isRunning) {
      await readOne().catch((error) => {
        if (!(error instanceof LostResponse)) throw error;
      });
      await sleep(PAUSE_MS);
    }
  }
  const ended = Promise.all(Array.from({ length: READERS }, runReader));
  return async () => {
    isRunning = false;
    await ended;
  };
}

const NEVER = { from: Infinity, to: Infinity };

/**
 * An order is placed, then paid or deleted, each at one moment between the first request (`from`) and the response that
 * acknowledged it (`to`, or Infinity). So a read must not show what was not requested before it ended, must not miss
 * what was acknowledged before it began, and must not go back behind an earlier read.
 * @returns the first read that no order of these moments explains, or undefined
 */
export function findUnexplainedRead({ spans, reads }) {
  const { placed = NEVER, paid = NEVER, deleted = NEVER } = spans;
  const isPossible = ({ from, to, state }) => {
    if (state === 'missing') return from < placed.to || deleted.from <= to;
    if (placed.from > to || deleted.to < from) return false;
    return state === 'paid' ? paid.from <= to : from <= paid.to;
  };
  const goesBack = (earlier, later) =>
    earlier.to < later.from &&
    ((earlier.state === 'paid' && later.state !== 'paid') ||
      (earlier.state === 'missing' && earlier.from > placed.to && later.state !== 'missing'));
  return reads.find((read) => !isPossible(read) || reads.some((earlier) => goesBack(earlier, read)));
}

/** @returns a text for each order whose reads no order of events explains */
export const findHistoryProblems = (entries) =>
  entries.flatMap((entry) => {
    const read = findUnexplainedRead(entry);
    return read ? [`${entry.order._id} was ${read.state} at ${Math.round(read.from)} ms`] : [];
  });

/**
 * Compares the stock of each tool with its stock before all orders, without the pieces of the orders that exist now.
 * @returns a text for each tool that has pieces too many or missing
 */
export async function findStockProblems(client, tools, entries) {
  const sold = new Map(tools.map(({ _id }) => [_id, 0]));
  await forEachInParallel(entries, async ({ order, orderBody, person }) => {
    const read = () => client.send('GET', `/order/${order._id}`, { token: person.token });
    if ((await retryUntilAnswered(read)).status !== 200) return;
    sold.set(orderBody.toolId, sold.get(orderBody.toolId) + orderBody.totalQuantity);
  });
  const problems = [];
  for (const tool of tools) {
    const expected = tool.availableQuantity - sold.get(tool._id);
    const { body } = await retryUntilAnswered(() => client.send('GET', `/tool/${tool._id}`));
    if (body.availableQuantity !== expected)
      problems.push(`${tool.name} has ${body.availableQuantity} pieces instead of ${expected}`);
  }
  return problems;
}
