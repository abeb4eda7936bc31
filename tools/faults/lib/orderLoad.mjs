import { setTimeout as sleep } from 'node:timers/promises';
import { createOrderClient } from './orderClient.mjs';
import { LostResponse } from './client.mjs';

const REFUSED_STATUSES = [429, 503, 507];
const MAX_OPEN_ORDERS = 200;

/**
 * @returns whether the response is possible, considering that earlier requests for this order may have got no response
 */
function isExpectedResponse({ status, body }, entry, expectedStatus) {
  if (status === expectedStatus || REFUSED_STATUSES.includes(status)) return true;
  if (status === 409 && body.code === 'payment_in_progress') return true;
  if (status === 409 && body.code === 'order_paid') return entry.requested.has('paid');
  if (status === 404) return entry.requested.has('deleted');
  return status === 400 && entry.requested.has('paid') && body.error?.code === 'payment_intent_unexpected_state';
}

/**
 * Simulates customers who order, delete and pay as fast as the shop responds, until `stop` is called. The ledger
 * records what was acknowledged. `touched` in the ledger has the entries that this load used.
 */
export function startLoad({ client, people, tools, random, workers = 8, pauseMs = 0 }) {
  const orderClient = createOrderClient(client);
  const ledger = {
    entries: [],
    touched: new Set(),
    unexpectedResponses: [],
    responses: 0,
    refused: 0,
    lost: 0,
    partialResponses: 0,
    times: [],
  };
  let openOrders = [];
  let isRunning = true;

  async function runStep(entry, send, expectedStatus) {
    ledger.touched.add(entry);
    try {
      const response = await send(entry);
      ledger.responses++;
      ledger.times.push(response.ms);
      if (REFUSED_STATUSES.includes(response.status)) {
        ledger.refused++;
        await sleep(50);
      }
      if (!isExpectedResponse(response, entry, expectedStatus))
        ledger.unexpectedResponses.push(`${response.status} ${response.text.slice(0, 200)}`);
      return response.status === expectedStatus;
    } catch (error) {
      if (!(error instanceof LostResponse)) throw error;
      ledger.lost++;
      if (error.isPartial) ledger.partialResponses++;
      await sleep(20);
      return false;
    }
  }

  async function placeNew() {
    const entry = orderClient.createEntry(random.pick(people), random.pick(tools), random.integer(1, 3));
    ledger.entries.push(entry);
    if (await runStep(entry, orderClient.place, 201)) openOrders.push(entry);
  }

  async function processOne(send, expectedStatus) {
    const entry = openOrders.splice(random.integer(0, openOrders.length - 1), 1)[0];
    await runStep(entry, send, expectedStatus);
  }

  async function runWorker() {
    while (isRunning) {
      const choice = random.next();
      if (openOrders.length > MAX_OPEN_ORDERS) openOrders = openOrders.slice(-MAX_OPEN_ORDERS / 2);
      if (openOrders.length === 0 || choice < 0.5) await placeNew();
      else if (choice < 0.75) await processOne(orderClient.pay, 200);
      else await processOne(orderClient.remove, 204);
      if (pauseMs) await sleep(pauseMs);
    }
  }

  const workersDone = Promise.all(Array.from({ length: workers }, runWorker));
  const stop = async () => {
    isRunning = false;
    await workersDone;
    return ledger;
  };
  return { ledger, stop };
}
