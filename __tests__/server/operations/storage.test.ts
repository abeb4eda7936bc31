import pino from 'pino';
import { call } from '../../support/identity';
import { advanceMonotonicClock } from '../../support/shop';
import { openOrderTestKit, type OrderTestKit } from '../../support/orders';

const MB = 1024 * 1024;
let free = 10_000 * MB;
const log: string[] = [];
let kit: OrderTestKit;
beforeAll(async () => {
  kit = await openOrderTestKit({
    freeBytes: async () => free,
    logger: pino({ level: 'warn' }, { write: (line) => void log.push(line) }),
  });
});
afterAll(async () => {
  jest.restoreAllMocks();
  await kit.close();
});

it('A disk that is almost full refuses what would be kept, shows what is there, and takes orders again when there is room', async () => {
  const who = await kit.customer();
  const tool = await kit.tool();
  const place = () => kit.order(who, { productName: tool.name, totalQuantity: 1 });
  expect((await place()).status).toBe(201);
  free = 127 * MB;
  advanceMonotonicClock(1_100);
  expect(await place()).toMatchObject({ status: 507, body: { code: 'storage_full' } });
  expect((await kit.call(who, 'GET', '/tool')).status).toBe(200);
  expect((await kit.call(who, 'GET', `/order?email=${who.email}`)).status).toBe(200);
  const somebody = { email: 'ann@mail.example', password: 'secret-1', returnSecureToken: true };
  expect((await call(kit.origin, 'signUp', somebody)).status).toBe(507);
  free = 128 * MB;
  advanceMonotonicClock(2_200);
  expect((await place()).status).toBe(201);
  expect(await kit.countRows()).toBe(2);
  expect((await call(kit.origin, 'signUp', somebody)).status).toBe(200);
  expect(log.filter((line) => line.includes('call failed'))).toEqual([]);
});
