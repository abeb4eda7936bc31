import { setTimeout as sleep } from 'node:timers/promises';
import { retryUntilAnswered } from './verifyOrders.mjs';

const PAUSE_MS = 50;
const NEXT_PAGE = /^<([^>]+)>/;

/**
 * Polls for newer orders as a machine does: it asks again with the same cursor until an answer comes.
 * @returns a function that polls to the end and returns the ids of all orders that were seen, in their order
 */
export function startOrderPoller(client, token) {
  const seen = [];
  let next = '/order?since=0&limit=50';
  let isRunning = true;

  async function pollOnce() {
    const response = await retryUntilAnswered(() => client.send('GET', next, { token }));
    if (response.status !== 200) throw new Error(`The poll ${next} answers ${response.status}: ${response.text}`);
    seen.push(...response.body.map(({ _id }) => _id));
    next = NEXT_PAGE.exec(response.headers.link ?? '')?.[1] ?? next;
    return response.body.length;
  }

  const polled = (async () => {
    while (isRunning) if ((await pollOnce()) === 0) await sleep(PAUSE_MS);
    while ((await pollOnce()) > 0);
  })();
  polled.catch(() => undefined);
  return async () => {
    isRunning = false;
    await polled;
    return seen;
  };
}

/** @returns a text for each order that exists and was not seen, and for each that was seen twice */
export function findPollProblems(seen, entries) {
  const ids = new Set(seen);
  const twice = seen.filter((id, place) => seen.indexOf(id) < place);
  const missed = entries.filter(({ order, requested }) => order && !requested.has('deleted') && !ids.has(order._id));
  return [...missed.map(({ order }) => `${order._id} was missed`), ...twice.map((id) => `${id} was seen twice`)];
}
