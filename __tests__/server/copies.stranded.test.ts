import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { openOrderDesk, type OrderDesk } from '../support/orders';
import { startShop } from '../support/shop';
import { strandingProxy } from '../support/strandingProxy';

/** The one connection that a copy keeps for itself, to hear of changes; none while it is connecting anew. */
const ITS_EAR = 1;

let desk: OrderDesk;
let copy: Awaited<ReturnType<typeof startShop>>;
let proxy: Awaited<ReturnType<typeof strandingProxy>>;
beforeAll(async () => {
  desk = await openOrderDesk();
  proxy = await strandingProxy(desk.database!.connection);
  copy = await startShop({ connection: { ...desk.database!.connection, host: '127.0.0.1', port: proxy.port } });
});
afterAll(async () => {
  proxy.close();
  await copy.close();
  await desk.close();
});

async function shows(toolId: string, name: string, withinMs: number) {
  for (const until = Date.now() + withinMs; Date.now() < until; await sleep(100)) {
    const body = (await (await fetch(`${copy.origin}/tool/${toolId}`)).json()) as { name?: string };
    if (body.name === name) return true;
  }
  return false;
}

const rename = (id: string, name: string) =>
  desk.deps.db.execute(sql`update tools set name = ${name} where id = ${id}`);

test('a change of which nobody told, since whoever made it was killed, is seen all the same', async () => {
  const { id, name } = await desk.tool();
  expect(await shows(id, name, 20_000)).toBe(true);
  await rename(id, 'Quietly renamed');
  expect(await shows(id, 'Quietly renamed', 20_000)).toBe(true);
});

test('when PostgreSQL never answers again on what is connected, a copy says so, connects anew and misses no change', async () => {
  const { id } = await desk.tool();
  const who = await desk.customer();
  const list = () =>
    fetch(`${copy.origin}/order?email=${who.email}`, { headers: { authorization: `Bearer ${who.token}` } });
  expect((await Promise.all(Array.from({ length: 20 }, list))).every(({ ok }) => ok)).toBe(true);
  proxy.strand();
  await rename(id, 'Renamed meanwhile');
  expect((await list()).status).toBe(503);
  const statuses = [];
  for (let n = 0; n < 30 && statuses.at(-1) !== 200; n++) statuses.push((await list()).status);
  expect(new Set(statuses)).toEqual(new Set(statuses.length > 1 ? [503, 200] : [200]));
  expect(await shows(id, 'Renamed meanwhile', 30_000)).toBe(true);
});

test('a transaction that cannot even begin gives its connection back', async () => {
  const { db } = copy.deps;
  const ask = () => db.transaction(async (tx) => tx.execute(sql`select 1`));
  await Promise.all(Array.from({ length: 10 }, ask));
  proxy.strand();
  const begun = await Promise.allSettled(Array.from({ length: 10 }, ask));
  expect(begun.some(({ status }) => status === 'rejected')).toBe(true);
  const taken = () => db.$client.totalCount - db.$client.idleCount;
  for (const until = Date.now() + 20_000; taken() > ITS_EAR && Date.now() < until;) await sleep(50);
  expect(taken()).toBeLessThanOrEqual(ITS_EAR);
});
