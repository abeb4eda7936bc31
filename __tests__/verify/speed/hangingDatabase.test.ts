import { sql } from 'drizzle-orm';
import { expectEventually } from '../../support/wait';
import { openOrderTestKit, type OrderTestKit } from '../../support/orders';
import { startShop } from '../../support/shop';
import { startHangingProxy } from './hangingProxy';

/** A server keeps one connection to listen for changes, and none while it reconnects. */
const LISTEN_CONNECTIONS = 1;
/** How many list reads and transactions are sent while the connections hang. */
const LISTS = 4;
const TRANSACTIONS = 5;

let testKit: OrderTestKit;
let copy: Awaited<ReturnType<typeof startShop>>;
let proxy: Awaited<ReturnType<typeof startHangingProxy>>;
beforeAll(async () => {
  testKit = await openOrderTestKit();
  proxy = await startHangingProxy(testKit.database!.connection);
  copy = await startShop({ connection: { ...testKit.database!.connection, host: '127.0.0.1', port: proxy.port } });
});
afterAll(async () => {
  proxy.close();
  await copy.close();
  await testKit.close();
});

async function nameOf(toolId: string) {
  const body = (await (await fetch(`${copy.origin}/tool/${toolId}`)).json()) as { name?: string };
  return body.name;
}

const renameTool = (id: string, name: string) =>
  testKit.deps.db.execute(sql`update tools set name = ${name} where id = ${id}`);

describe('When all open connections to PostgreSQL hang,', () => {
  let id: string;
  let lists: (() => Promise<number>)[];
  let listStatuses: Promise<number[]>;
  let transactions: Promise<PromiseSettledResult<unknown>[]>;

  /** Opens so many connections at the same time that the pool has one for each later request. */
  const fillPool = async () => {
    const connect = () => copy.deps.db.$client.connect();
    for (const client of await Promise.all(Array.from({ length: LISTS + TRANSACTIONS }, connect))) client.release();
  };

  /** Sends all requests together, because each fails only after the seven seconds that the shop waits for a query. */
  beforeAll(async () => {
    id = (await testKit.createTool()).id;
    const customers = await Promise.all(Array.from({ length: LISTS }, () => testKit.createCustomer()));
    lists = customers.map(({ email, token }) => async () => {
      const headers = { authorization: `Bearer ${token}` };
      return (await fetch(`${copy.origin}/order?email=${email}`, { headers })).status;
    });
    expect(await Promise.all(lists.map((list) => list()))).toEqual(Array(LISTS).fill(200));
    await fillPool();
    proxy.hangConnections();
    await renameTool(id, 'Renamed while disconnected');
    listStatuses = Promise.all(lists.map((list) => list()));
    const begin = () => copy.deps.db.transaction(async (tx) => tx.execute(sql`select 1`));
    transactions = Promise.allSettled(Array.from({ length: TRANSACTIONS }, begin));
  });

  it('a server answers 503, reconnects and misses no change', async () => {
    expect(await listStatuses).toEqual(Array(LISTS).fill(503));
    const list = lists[0]!;
    const statuses = [await list()];
    while (statuses.length < 30 && statuses.at(-1) !== 200) statuses.push(await list());
    expect(new Set(statuses)).toEqual(new Set(statuses.length > 1 ? [503, 200] : [200]));
    await expectEventually(() => nameOf(id), 'Renamed while disconnected');
  });

  it('a transaction that cannot begin releases its connection', async () => {
    expect((await transactions).map(({ status }) => status)).toEqual(Array(TRANSACTIONS).fill('rejected'));
    const { $client } = copy.deps.db;
    await expectEventually(() => $client.totalCount - $client.idleCount <= LISTEN_CONNECTIONS, true);
  });
});
