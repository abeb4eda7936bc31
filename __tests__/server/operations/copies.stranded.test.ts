import { sql } from 'drizzle-orm';
import { expectEventually } from '../../support/wait';
import { openOrderTestKit, type OrderTestKit } from '../../support/orders';
import { startShop } from '../../support/shop';
import { strandingProxy } from './strandingProxy';

/** The one connection that a copy keeps for itself, to hear of changes; none while it is connecting anew. */
const ITS_EAR = 1;
/** Lists that are asked for on connections that hang, and transactions that begin there. */
const LISTS = 4;
const BEGINNINGS = 5;

let kit: OrderTestKit;
let copy: Awaited<ReturnType<typeof startShop>>;
let proxy: Awaited<ReturnType<typeof strandingProxy>>;
beforeAll(async () => {
  kit = await openOrderTestKit();
  proxy = await strandingProxy(kit.database!.connection);
  copy = await startShop({ connection: { ...kit.database!.connection, host: '127.0.0.1', port: proxy.port } });
});
afterAll(async () => {
  proxy.close();
  await copy.close();
  await kit.close();
});

async function nameOf(toolId: string) {
  const body = (await (await fetch(`${copy.origin}/tool/${toolId}`)).json()) as { name?: string };
  return body.name;
}

const rename = (id: string, name: string) => kit.deps.db.execute(sql`update tools set name = ${name} where id = ${id}`);

test('a change of which nobody told, since whoever made it was killed, is seen all the same', async () => {
  const { id, name } = await kit.tool();
  await expectEventually(() => nameOf(id), name, 20_000);
  await rename(id, 'Quietly renamed');
  await expectEventually(() => nameOf(id), 'Quietly renamed', 20_000);
});

describe('When PostgreSQL never answers again on what is connected', () => {
  let id: string;
  let lists: (() => Promise<number>)[];
  let asked: Promise<number[]>;
  let begun: Promise<PromiseSettledResult<unknown>[]>;

  /** Keeps each connection for a moment, so that nobody shares one. */
  const fillPool = () => {
    const hold = () => copy.deps.db.execute(sql`select pg_sleep(0.5)`);
    return Promise.all(Array.from({ length: LISTS + BEGINNINGS }, hold));
  };

  /** A connection that hangs is given up after seven seconds: all are asked at once, each list by another customer. */
  beforeAll(async () => {
    id = (await kit.tool()).id;
    const customers = await Promise.all(Array.from({ length: LISTS }, () => kit.customer()));
    lists = customers.map(({ email, token }) => async () => {
      const headers = { authorization: `Bearer ${token}` };
      return (await fetch(`${copy.origin}/order?email=${email}`, { headers })).status;
    });
    expect(await Promise.all(lists.map((list) => list()))).toEqual(Array(LISTS).fill(200));
    await fillPool();
    proxy.strand();
    await rename(id, 'Renamed meanwhile');
    asked = Promise.all(lists.map((list) => list()));
    const begin = () => copy.deps.db.transaction(async (tx) => tx.execute(sql`select 1`));
    begun = Promise.allSettled(Array.from({ length: BEGINNINGS }, begin));
  });

  it('a copy says so, connects anew and misses no change', async () => {
    expect(await asked).toEqual(Array(LISTS).fill(503));
    const list = lists[0]!;
    const statuses = [await list()];
    while (statuses.length < 30 && statuses.at(-1) !== 200) statuses.push(await list());
    expect(new Set(statuses)).toEqual(new Set(statuses.length > 1 ? [503, 200] : [200]));
    await expectEventually(() => nameOf(id), 'Renamed meanwhile');
  });

  it('a transaction that cannot even begin gives its connection back', async () => {
    expect((await begun).map(({ status }) => status)).toEqual(Array(BEGINNINGS).fill('rejected'));
    const { $client } = copy.deps.db;
    await expectEventually(() => $client.totalCount - $client.idleCount <= ITS_EAR, true);
  });
});
