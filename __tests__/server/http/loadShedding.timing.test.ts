import Fastify from 'fastify';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import { registerLoadShedding } from '../../../server/http/overload';

const MAX_LAG_MS = 50;
const LOOK_MS = 100;
const HOLD_MS = 1000;
const LATE = LOOK_MS + MAX_LAG_MS + 1;

let clock = 0;
let look = () => {};
let app: ReturnType<typeof makeApp>;

function makeApp() {
  const made = Fastify().withTypeProvider<TypeBoxTypeProvider>();
  registerLoadShedding(made, MAX_LAG_MS, ({ url }) => url === '/always');
  for (const path of ['/', '/always']) made.get(path, async () => 'served');
  return made;
}

/** The clock and the timer are the test's own, so a slow machine changes nothing. */
beforeEach(async () => {
  jest.spyOn(performance, 'now').mockImplementation(() => clock);
  jest.spyOn(globalThis, 'setInterval').mockImplementation((work) => {
    look = work as () => void;
    return setTimeout(() => undefined).unref();
  });
  app = makeApp();
  clock += 60_000;
  await app.listen({ host: '127.0.0.1', port: 0 });
});
afterEach(async () => {
  jest.restoreAllMocks();
  await app.close();
});

/** The timer fires, so long after it last did. */
function tick(...milliseconds: number[]) {
  for (const ms of milliseconds) {
    clock += ms;
    look();
  }
}
const statusOf = async (url = '/') => (await app.inject({ url })).statusCode;

it('a long start of the server refuses nobody', async () => {
  tick(LOOK_MS, LOOK_MS);
  expect(await statusOf()).toBe(200);
});

it('one late moment refuses nobody, however long it was', async () => {
  tick(LOOK_MS, 60_000);
  expect(await statusOf()).toBe(200);
  tick(LOOK_MS, 60_000, LOOK_MS);
  expect(await statusOf()).toBe(200);
});

it('as late as is allowed refuses nobody', async () => {
  tick(LATE - 1, LATE - 1, LATE - 1);
  expect(await statusOf()).toBe(200);
});

it('two late moments in a row refuse calls for one second, and no longer', async () => {
  tick(LATE, LATE);
  expect([await statusOf(), await statusOf('/always')]).toEqual([503, 200]);
  clock += HOLD_MS - 1;
  expect(await statusOf()).toBe(503);
  clock += 1;
  expect(await statusOf()).toBe(200);
});

it('a server that stays late keeps refusing until a second after its last late moment', async () => {
  tick(LATE, LATE, LATE * 5, LATE * 5);
  tick(LOOK_MS, LOOK_MS);
  clock += HOLD_MS - 2 * LOOK_MS - 1;
  expect(await statusOf()).toBe(503);
  clock += 1;
  expect(await statusOf()).toBe(200);
});
