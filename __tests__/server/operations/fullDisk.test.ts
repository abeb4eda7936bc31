import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import pino from 'pino';
import { createFreeBytesReader } from '../../../server/http/overload';
import { callAccounts } from '../../support/identity';
import { advanceMonotonicClock, startShop } from '../../support/shop';
import { openOrderTestKit, type OrderTestKit } from '../../support/orders';

const MIB = 1024 * 1024;
let freeByteCount = 10_000 * MIB;
const log: string[] = [];
let testKit: OrderTestKit;
beforeAll(async () => {
  testKit = await openOrderTestKit({
    readFreeBytes: async () => freeByteCount,
    logger: pino({ level: 'warn' }, { write: (line) => void log.push(line) }),
  });
});
afterAll(async () => {
  jest.restoreAllMocks();
  await testKit.close();
});

it('a server with an almost full disk refuses writes, serves reads, and recovers when there is space', async () => {
  const customer = await testKit.createCustomer();
  const tool = await testKit.createTool();
  const place = () => testKit.placeOrder(customer, { productName: tool.name, totalQuantity: 1 });
  expect((await place()).status).toBe(201);
  freeByteCount = 127 * MIB;
  advanceMonotonicClock(1_100);
  expect(await place()).toMatchObject({ status: 507, body: { code: 'storage_full' } });
  expect((await testKit.call(customer, 'GET', '/tool')).status).toBe(200);
  expect((await fetch(`${testKit.origin}/tool`, { method: 'HEAD' })).status).toBe(200);
  expect((await fetch(`${testKit.origin}/tool`, { method: 'OPTIONS' })).status).toBe(404);
  expect((await testKit.call(customer, 'GET', `/order?email=${customer.email}`)).status).toBe(200);
  const account = { email: 'ann@mail.example', password: 'secret-1', returnSecureToken: true };
  expect((await callAccounts(testKit.origin, 'signUp', account)).status).toBe(507);
  freeByteCount = 128 * MIB;
  advanceMonotonicClock(2_200);
  expect((await place()).status).toBe(201);
  expect(await testKit.countOrders()).toBe(2);
  expect((await callAccounts(testKit.origin, 'signUp', account)).status).toBe(200);
  const refused = { level: 40, reqId: expect.any(String), err: { detail: expect.stringContaining("can't save") } };
  expect(log.map((line) => JSON.parse(line) as object)).toMatchObject([
    { level: 50, msg: 'disk almost full, writes are refused', freeBytes: 127 * MIB },
    { ...refused, msg: 'request failed, a retry may succeed', code: 'storage_full' },
    { ...refused, msg: 'identity call temporarily unavailable' },
    { level: 40, msg: 'disk has enough space again', freeBytes: 128 * MIB },
  ]);
});

it('the free space is that of the disk with the data folder, and is read at most once a second', async () => {
  const { bavail, bsize } = await statfs(tmpdir());
  const ratio = (await createFreeBytesReader(tmpdir())()) / (bavail * bsize);
  expect([ratio > 0.8, ratio < 1.2]).toEqual([true, true]);
  let readCount = 0;
  const shop = await startShop({ readFreeBytes: async () => (readCount += 1) * 1_000 * MIB });
  const write = () => fetch(`${shop.origin}/order`, { method: 'POST' });
  const now = jest.spyOn(performance, 'now');
  const start = performance.now();
  for (const [ms, count] of [
    [0, 1],
    [1_000, 1],
    [1_001, 2],
    [2_000, 2],
  ] as const) {
    now.mockReturnValue(start + ms);
    expect([ms, (await write()).status, readCount]).toEqual([ms, 401, count]);
  }
  now.mockRestore();
  await shop.close();
});
