import Fastify from 'fastify';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import { registerLoadShedding } from '../../../server/http/overload';

const MAX_LAG_MS = 50;
const CHECK_MS = 100;
const SHEDDING_MS = 1000;
const LATE_MS = CHECK_MS + MAX_LAG_MS + 1;

let clock = 0;
let runCheck = () => {};
let app: ReturnType<typeof createApp>;

function createApp() {
  const instance = Fastify().withTypeProvider<TypeBoxTypeProvider>();
  registerLoadShedding(instance, MAX_LAG_MS, ({ url }) => url === '/always');
  for (const path of ['/', '/always']) instance.get(path, async () => 'served');
  return instance;
}

/** The test controls the clock and the timer, so a slow machine does not matter. */
beforeEach(async () => {
  jest.spyOn(performance, 'now').mockImplementation(() => clock);
  jest.spyOn(globalThis, 'setInterval').mockImplementation((work) => {
    runCheck = work as () => void;
    return setTimeout(() => undefined).unref();
  });
  app = createApp();
  clock += 60_000;
  await app.listen({ host: '127.0.0.1', port: 0 });
});
afterEach(async () => {
  jest.restoreAllMocks();
  await app.close();
});

/** Fires the timer after each of these delays. */
function tick(...milliseconds: number[]) {
  for (const ms of milliseconds) {
    clock += ms;
    runCheck();
  }
}
const statusOf = async (url = '/') => (await app.inject({ url })).statusCode;

it('a server that starts slowly does not reject requests', async () => {
  tick(CHECK_MS, CHECK_MS);
  expect(await statusOf()).toBe(200);
});

it('a server does not reject requests after a single event-loop delay, however long', async () => {
  tick(CHECK_MS, 60_000);
  expect(await statusOf()).toBe(200);
  tick(CHECK_MS, 60_000, CHECK_MS);
  expect(await statusOf()).toBe(200);
});

it('a server does not reject requests while its event-loop delays are within the limit', async () => {
  tick(LATE_MS - 1, LATE_MS - 1, LATE_MS - 1);
  expect(await statusOf()).toBe(200);
});

it('after two consecutive event-loop delays, a server rejects requests for exactly one second', async () => {
  tick(LATE_MS, LATE_MS);
  expect([await statusOf(), await statusOf('/always')]).toEqual([503, 200]);
  clock += SHEDDING_MS - 1;
  expect(await statusOf()).toBe(503);
  clock += 1;
  expect(await statusOf()).toBe(200);
});

it('an overloaded server rejects requests until one second after the last event-loop delay', async () => {
  tick(LATE_MS, LATE_MS, LATE_MS * 5, LATE_MS * 5);
  tick(CHECK_MS, CHECK_MS);
  clock += SHEDDING_MS - 2 * CHECK_MS - 1;
  expect(await statusOf()).toBe(503);
  clock += 1;
  expect(await statusOf()).toBe(200);
});
