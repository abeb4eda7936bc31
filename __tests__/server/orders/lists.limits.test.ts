import { expectEventually } from '../../support/wait';
import type { Customer } from '../../support/customers';
import { openOrderTestKit, type OrderTestKit } from '../../support/orders';

jest.setTimeout(120_000);

/** For each customer, one list request runs and twenty wait. */
const MAX_LISTS = 21;
const START = Date.now();
let testKit: OrderTestKit;
let ann: Customer;
let limitedKit: OrderTestKit;
let clockOffsetMs = 0;
/** While this is set, every request for a list waits for it just before reading from the database. */
let gate: Promise<void> | undefined;
let readCount = 0;

beforeAll(async () => {
  const checkpoint = async (step: string) => {
    if (step !== 'read list') return;
    readCount += 1;
    await gate;
  };
  testKit = await openOrderTestKit({ checkpoint });
  limitedKit = await openOrderTestKit({ env: { RATE_LIMIT: 'on' }, now: () => new Date(START + clockOffsetMs) });
});
afterAll(async () => {
  await testKit.close();
  await limitedKit.close();
});
beforeEach(async () => {
  ann = await testKit.createCustomer();
  [gate, readCount, clockOffsetMs] = [undefined, 0, 0];
});

const ordersPath = ({ email }: Customer) => `/order?email=${encodeURIComponent(email)}`;
const ABORTED = { status: 0, retryAfter: null };
type ListResponse = { status: number; retryAfter: string | null };

async function readList(caller: Customer, path = ordersPath(caller), signal?: AbortSignal): Promise<ListResponse> {
  try {
    const response = await fetch(testKit.origin + path, {
      headers: { authorization: `Bearer ${caller.token}` },
      signal,
    });
    await response.arrayBuffer();
    return { status: response.status, retryAfter: response.headers.get('retry-after') };
  } catch (error) {
    if (signal?.aborted) return ABORTED;
    throw error;
  }
}
const repeat = <T>(count: number, start: (n: number) => T) => Array.from({ length: count }, (_, n) => start(n));

/**
 * Makes all requests for lists wait just before they read from the database.
 * @returns a function that lets them continue
 */
function pauseLists(): () => void {
  let releaseLists = () => {};
  gate = new Promise<void>((resolve) => (releaseLists = resolve));
  return releaseLists;
}

async function expectOthersRefused(lists: Promise<ListResponse>[], refusedCount: number) {
  const earlyResponses: ListResponse[] = [];
  for (const list of lists) void list.then((response) => earlyResponses.push(response));
  await expectEventually(async () => earlyResponses.length, refusedCount);
  expect(new Set(earlyResponses.map(({ status }) => status))).toEqual(new Set([429]));
  expect(Number(earlyResponses[0]!.retryAfter)).toBeGreaterThan(0);
  expect(readCount).toBe(1);
}

// Clause C.6.23
it('only one list request per customer runs at a time, while others wait and those beyond the limit get a 429', async () => {
  const releaseLists = pauseLists();
  const lists = repeat(30, () => readList(ann));
  await expectOthersRefused(lists, 30 - MAX_LISTS);
  releaseLists();
  const responses = await Promise.all(lists);
  expect([responses.filter(({ status }) => status === 200).length, readCount]).toEqual([MAX_LISTS, MAX_LISTS]);
  expect((await readList(ann)).status).toBe(200);
});

const countConnections = () =>
  new Promise<number>((resolve) => testKit.app.server.getConnections((_error, count) => resolve(count)));

it('an aborted list request no longer counts toward the limit, whether it was waiting or running', async () => {
  const releaseLists = pauseLists();
  const [runningRequest, ...waitingRequests] = repeat(30, () => new AbortController());
  const first = readList(ann, undefined, runningRequest!.signal);
  await expectEventually(async () => readCount, 1);
  const waiting = waitingRequests.map(({ signal }) => readList(ann, undefined, signal));
  await expectOthersRefused(waiting, 30 - MAX_LISTS);
  const openCount = await countConnections();
  for (const controller of waitingRequests) controller.abort();
  await Promise.all(waiting);
  await expectEventually(async () => (await countConnections()) <= openCount - MAX_LISTS + 1, true);
  gate = undefined;
  const next = readList(ann);
  runningRequest!.abort();
  expect((await next).status).toBe(200);
  expect(readCount).toBe(2);
  releaseLists();
  await first;
});

// Clause C.6.23
it('a customer can send sixty list requests and sixty delete requests a minute, and then gets a 429 with Retry-After', async () => {
  const [carl, dora] = [await limitedKit.createCustomer(), await limitedKit.createCustomer()];
  const readAndDelete = (caller: Customer) => [
    limitedKit.call(caller, 'GET', ordersPath(caller)),
    limitedKit.call(caller, 'DELETE', '/order/00000000-0000-4000-8000-000000000000'),
  ];
  for (let n = 0; n < 60; n += 1)
    expect((await Promise.all(readAndDelete(carl))).map(({ status }) => status)).toEqual([200, 404]);
  for (const { status, body, headers } of await Promise.all(readAndDelete(carl))) {
    expect([status, body.code]).toEqual([429, 'rate_limited']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  }
  expect((await Promise.all(readAndDelete(dora))).map(({ status }) => status)).toEqual([200, 404]);
  clockOffsetMs = 61_000;
  expect((await Promise.all(readAndDelete(carl))).map(({ status }) => status)).toEqual([200, 404]);
});

it('an admin who scrolls can read more than sixty pages of orders a minute, but only sixty complete lists', async () => {
  const limitedAdmin = await limitedKit.createCustomer('admin');
  const read = (path: string) => limitedKit.call(limitedAdmin, 'GET', path);
  for (let n = 0; n < 60; n += 1) expect((await read(ordersPath(limitedAdmin))).status).toBe(200);
  expect((await read(`${ordersPath(limitedAdmin)}&limit=1`)).status).toBe(429);
  for (const path of ['/order?limit=1', '/order?status=paid', '/order?q=saw', '/order?after=1'])
    expect([path, (await read(path)).status]).toEqual([path, 200]);
});
