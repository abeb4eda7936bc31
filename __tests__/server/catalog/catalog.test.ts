import { eq, sql } from 'drizzle-orm';
import type { QueryConfig, Pool } from 'pg';
import { openCatalog, type Catalog } from '../../../server/catalog/catalog';
import { openPool, type Db } from '../../../server/db/database';
import { reviews, tools } from '../../../server/db/schema';
import { openTestDatabase } from '../../support/identity';
import { startPostgresProxy } from '../../support/postgresProxy';
import { expectEventually } from '../../support/wait';
import { openOrderTestKit, type OrderTestKit } from '../../support/orders';

describe('Copies of the catalog', () => {
  /** PostgreSQL's counts of writes say nothing behind this proxy, so that only notifications report changes. */
  const WITHOUT_WRITE_COUNTS = {
    rewrite: (text: string) => text.replace(/(pg_stat_user_tables where)/, '$1 false and'),
  };

  let database: Awaited<ReturnType<typeof openTestDatabase>>;
  let proxy: Awaited<ReturnType<typeof startPostgresProxy>>;
  let proxiedDb: Db;
  let [writer, notified]: Catalog[] = [];
  let errors: unknown[];
  beforeAll(async () => {
    database = await openTestDatabase();
    proxy = await startPostgresProxy(database.url, WITHOUT_WRITE_COUNTS);
    proxiedDb = openPool({ connectionString: proxy.url }, () => undefined);
    writer = await openCatalog(database.db, (error) => errors.push(error));
    notified = await openCatalog(proxiedDb, () => undefined);
  });
  beforeEach(() => (errors = []));
  afterEach(() => jest.restoreAllMocks());
  afterAll(async () => {
    await writer!.close();
    await notified!.close();
    await proxiedDb.$client.end();
    await proxy.stop();
    await database.close();
  });

  const TOOL = {
    price: 7,
    minimumOrderQuantity: 1,
    availableQuantity: 9,
    stockedQuantity: 9,
    description: 'a',
    img: '/a',
  };

  async function insertTools(count: number): Promise<string[]> {
    const drafts = Array.from({ length: count }, () => ({ ...TOOL, name: 'Hammer' }));
    return (await database.db.insert(tools).values(drafts).returning()).map(({ id }) => id);
  }

  const rename = (name: string) => database.db.update(tools).set({ name });
  const namesOf = (catalog: Catalog) => [...new Set(catalog.tools.first(Infinity).map(({ name }) => name))];

  /** Holds back the reads of tools. */
  function holdToolReads() {
    const pool = proxiedDb.$client;
    let release = () => {};
    let onFirst = () => {};
    const gate = new Promise<void>((resolve) => (release = resolve));
    const first = new Promise<void>((resolve) => (onFirst = resolve));
    const query = pool.query.bind(pool) as (...args: unknown[]) => Promise<unknown>;
    const reads: unknown[] = [];
    const heldQuery = async (...args: unknown[]) => {
      if (/from "tools"/.test((args[0] as QueryConfig).text ?? '')) {
        reads.push(args[1]);
        onFirst();
        await gate;
      }
      return query(...args);
    };
    jest.spyOn(pool, 'query').mockImplementation(heldQuery as typeof pool.query);
    return { reads, release, first };
  }

  describe('A server', () => {
    it('reads all changes that arrive during a read together, and reports each only after a later read', async () => {
      const [ids, held] = [await insertTools(50), holdToolReads()];
      const reported: string[] = [];
      const report = (id: string) => notified!.reportChange('tools', id).then(() => void reported.push(id));
      const earlier = report(ids[0]!);
      await held.first;
      const later = ids.map(report);
      expect([held.reads.length, reported]).toEqual([1, []]);
      held.release();
      await earlier;
      expect(reported).toEqual([ids[0]]);
      await Promise.all(later);
      expect([held.reads.length, notified!.tools.find(ids[49]!) !== undefined]).toEqual([2, true]);
    });

    it.each([1, 2, 100, 101, 1000])('is notified of %d tools that another server changes', async (count) => {
      const ids = await insertTools(count);
      await rename(`One of ${count}`);
      await Promise.all(ids.map((id) => writer!.reportChange('tools', id)));
      await expectEventually(() => ids.filter((id) => !notified!.tools.find(id)?.body.includes(`One of ${count}`)), []);
    });

    it('is notified that any row of a table may have changed, and of removed rows', async () => {
      await insertTools(2);
      await rename('Any');
      await writer!.reportChange('tools');
      await expectEventually(() => namesOf(notified!), ['Any']);
      const review = { name: 'Ann', description: 'a', ratings: 5, img: '/a' };
      const [row] = await database.db.insert(reviews).values(review).returning();
      await writer!.reportChange('reviews', row!.id);
      await expectEventually(() => notified!.reviews.find(row!.id) !== undefined, true);
      await database.db.delete(reviews).where(eq(reviews.id, row!.id));
      await writer!.reportChange('reviews', row!.id);
      await expectEventually(() => notified!.reviews.first(1), []);
    });

    it('stops showing all rows that were removed together', async () => {
      const review = { name: 'Ann', description: 'a', ratings: 5, img: '/a' };
      await database.db.insert(reviews).values([review, review, review]);
      await notified!.reviews.refresh();
      expect(notified!.reviews.first(9)).toHaveLength(3);
      await database.db.delete(reviews);
      await notified!.reviews.refresh();
      expect(notified!.reviews.first(9)).toEqual([]);
    });

    it('ignores notifications about tables that it does not know', async () => {
      await rename('After unknown tables');
      await database.db.execute(sql`notify forgeline_catalogue`);
      await database.db.execute(sql`notify forgeline_catalogue, 'newer-server customers/1,tools'`);
      await expectEventually(() => namesOf(notified!), ['After unknown tables']);
    });

    it('reports a read that fails, and soon shows the change nevertheless', async () => {
      const failure = new Error('the database is unreachable');
      await rename('Read later');
      const query = jest.spyOn(database.db.$client, 'query').mockImplementation(() => Promise.reject(failure));
      await writer!.reportChange('tools');
      expect((errors[0] as Error).cause).toBe(failure);
      query.mockRestore();
      await expectEventually(() => namesOf(writer!), ['Read later']);
    });

    it('whose connection breaks keeps its list, reconnects, misses no change and is notified again', async () => {
      const { $client } = database.db;
      await insertTools(1);
      await rename('Before the loss');
      await writer!.reportChange('tools');
      const client = await $client.connect();
      const originalConnect = $client.connect.bind($client) as (...args: unknown[]) => unknown;
      // The pool's own queries pass a callback.
      const refuse = (...args: unknown[]) =>
        args[0] ? originalConnect(...args) : Promise.reject(new Error('refused'));
      const connect = jest.spyOn($client, 'connect').mockImplementation(refuse as typeof $client.connect);
      await client.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()
      and query ~ 'listen forgeline|pg_stat_user_tables' and pid <> pg_backend_pid()`);
      await expectEventually(() => errors.some((error) => (error as Error).message === 'refused'), true);
      await client.query(`update tools set name = 'During the loss'`);
      client.release();
      expect(namesOf(writer!)).toEqual(['Before the loss']);
      connect.mockRestore();
      await expectEventually(() => namesOf(writer!), ['During the loss']);
      await rename('After the loss');
      await notified!.reportChange('tools');
      await expectEventually(() => namesOf(writer!), ['After the loss']);
    });

    it('sends its last change before it closes, and then releases its connection', async () => {
      const { $client } = database.db;
      const inUseBefore = $client.totalCount - $client.idleCount;
      const last = await openCatalog(database.db, () => undefined);
      await rename('The last change');
      void last.reportChange('tools');
      await last.reportChange('tools');
      await last.close();
      await expectEventually(() => namesOf(notified!), ['The last change']);
      await expectEventually(() => $client.totalCount - $client.idleCount, inUseBefore);
    });
  });

  it('a server does not start on a database without LISTEN, and leaves no connection open', async () => {
    const withoutListen = await startPostgresProxy(database.url, {
      rewrite: (text) => text.replace(/^listen .*/, 'missing feature'),
    });
    const db = openPool({ connectionString: withoutListen.url }, () => undefined, 2);
    await expect(openCatalog(db, () => undefined)).rejects.toThrow(/missing/);
    expect(db.$client.totalCount).toBe(0);
    await db.$client.end();
    await withoutListen.stop();
  });
});

describe('After a write', () => {
  let testKit: OrderTestKit;
  beforeAll(async () => {
    testKit = await openOrderTestKit();
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => testKit.close());

  /**
   * Delays the queries that read tools for the catalog.
   * @returns a function that ends the delay
   */
  function delayToolReads(pool: Pool) {
    let endDelay = () => {};
    const gate = new Promise<void>((resolve) => (endDelay = resolve));
    const query = pool.query.bind(pool) as (...args: unknown[]) => Promise<unknown>;
    const delayedQuery = async (...args: unknown[]) => {
      if (/from "tools"/.test((args[0] as QueryConfig).text ?? '')) await gate;
      return query(...args);
    };
    jest.spyOn(pool, 'query').mockImplementation(delayedQuery as typeof pool.query);
    return endDelay;
  }

  /** Waits for 50 responses of another route. This takes far longer than a single response that is not delayed. */
  async function sendFiftyHealthChecks(): Promise<void> {
    for (let count = 0; count < 50; count++) expect((await testKit.call(null, 'GET', '/healthz')).status).toBe(200);
  }

  const availableOf = async (id: string) =>
    (await testKit.call<{ availableQuantity: number }>(null, 'GET', `/tool/${id}`)).body.availableQuantity;

  describe('A customer', () => {
    async function outcomeWithDelayedReads<T extends { status: number }>(call: () => Promise<T>) {
      const endDelay = delayToolReads(testKit.deps.db.$client);
      const response = call();
      const winner = await Promise.race([
        response.then(() => 'has answered'),
        sendFiftyHealthChecks().then(() => 'has not answered'),
      ]);
      endDelay();
      return [winner, (await response).status];
    }

    it('sees the new stock as soon as an order is placed or deleted', async () => {
      const [ann, tool] = [await testKit.createCustomer(), await testKit.createTool()];
      const place = () => testKit.placeOrder(ann, { toolId: tool.id, productName: tool.name, totalQuantity: 3 });
      const { body } = await place();
      expect(await outcomeWithDelayedReads(place)).toEqual(['has not answered', 201]);
      expect(await availableOf(tool.id)).toBe(94);
      jest.restoreAllMocks();
      expect(await outcomeWithDelayedReads(() => testKit.call(ann, 'DELETE', `/order/${body._id}`))).toEqual([
        'has not answered',
        204,
      ]);
      expect(await availableOf(tool.id)).toBe(97);
    });
  });

  it('a server shows a change even if it gets no notification of it', async () => {
    const { id } = await testKit.createTool();
    const name = 'Renamed without a notification';
    await testKit.deps.db.execute(sql`update tools set name = ${name} where id = ${id}`);
    const nameOf = async () => (await testKit.call<{ name?: string }>(null, 'GET', `/tool/${id}`)).body.name;
    await expectEventually(nameOf, name);
  });
});
