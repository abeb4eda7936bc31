import { setTimeout as sleep } from 'node:timers/promises';
import { openOrderDesk, type OrderDesk } from '../support/orders';

const MB = 1024 * 1024;
let free = 10_000 * MB;
let desk: OrderDesk;
beforeAll(async () => {
  desk = await openOrderDesk({ freeBytes: async () => free });
});
afterAll(() => desk.close());

it('A disk that is almost full refuses what would be kept, shows what is there, and takes orders again when there is room', async () => {
  const who = await desk.customer();
  const tool = await desk.tool();
  const place = () => desk.order(who, { productName: tool.name, totalQuantity: 1 });
  expect((await place()).status).toBe(201);
  free = 127 * MB;
  await sleep(1_100);
  expect(await place()).toMatchObject({ status: 507, body: { code: 'storage_full' } });
  expect((await desk.call(who, 'GET', '/tool')).status).toBe(200);
  expect((await desk.call(who, 'GET', `/order?email=${who.email}`)).status).toBe(200);
  free = 128 * MB;
  await sleep(1_100);
  expect((await place()).status).toBe(201);
  expect(await desk.countRows()).toBe(2);
});
