import { setTimeout as sleep } from 'node:timers/promises';
import type { Tool } from '../../../src/contract/entities';
import { checkDatabaseServer } from '../../../server/db/checkDatabaseServer';
import { openPool } from '../../../server/db/database';
import { runOnOneServer } from '../../../server/db/locks';
import { migrateDatabase } from '../../../server/db/migrate';
import { createDatabaseWithoutTables, createTestDatabase, type TestDatabase } from '../../support/database';
import { MINIMAL_FEATURES_RULES, startPostgresProxy } from '../../support/postgresProxy';
import { startShop } from '../../support/shop';
import { waitUntil } from '../../support/wait';

let database: TestDatabase;
let proxy: Awaited<ReturnType<typeof startPostgresProxy>>;
beforeAll(async () => {
  database = await createTestDatabase();
  proxy = await startPostgresProxy(database.url, MINIMAL_FEATURES_RULES);
});
afterAll(async () => {
  await proxy.stop();
  await database.drop();
});

const openDatabase = (url = proxy.url) => openPool({ connectionString: url }, () => undefined, 4);

describe('A database without LISTEN, advisory locks, xmin and statistics views', () => {
  it('is refused by default and accepted with DATABASE_FEATURES=minimal', async () => {
    await expect(checkDatabaseServer(proxy.url, 'full')).rejects.toThrow(
      /DATABASE_URL names a database that cannot be used/,
    );
    await expect(checkDatabaseServer(proxy.url, 'minimal')).resolves.toBeUndefined();
  });

  it('lets each server show the changes of another server within four seconds', async () => {
    const env = { DATABASE_FEATURES: 'minimal' };
    const connection = { connectionString: proxy.url };
    const copies = [await startShop({ env, connection }), await startShop({ env, connection })];
    const namesAt = async (copy: number) =>
      ((await (await fetch(`${copies[copy]!.origin}/tool`)).json()) as Tool[]).map(({ name }) => name);
    await copies[0]!.deps.db.$client.query(`
      insert into tools (name, price, minimum_order_quantity, available_quantity, stocked_quantity, description, img)
      values ('Seen by polling', 1, 1, 1, 1, 'a', '/a.svg')`);
    const startedAt = Date.now();
    await waitUntil(async () => (await namesAt(1)).includes('Seen by polling'));
    expect(Date.now() - startedAt).toBeLessThan(4_000);
    await copies[1]!.deps.db.$client.query(`update tools set price = 2 where name = 'Seen by polling'`);
    await waitUntil(async () => (await (await fetch(`${copies[0]!.origin}/tool`)).text()).includes('"price":2,'));
    for (const copy of copies) await copy.close();
  });

  it('lets only one server sweep at a time, and another one after the lease has expired', async () => {
    const db = openDatabase();
    const runs: string[] = [];
    const sweepAs = (name: string, work = async () => undefined) =>
      runOnOneServer(db, 'minimal', 'sweep', async () => {
        runs.push(name);
        await work();
      });
    await sweepAs('first', async () => void (await sweepAs('during the first')));
    await sweepAs('after the first');
    await db.$client.query(
      `update locks set owner = gen_random_uuid(), leased_until = now() + interval '1 second' where name = 'sweep'`,
    );
    await sweepAs('during the lease of a dead server');
    await sleep(1_100);
    await sweepAs('after the lease of a dead server');
    expect(runs).toEqual(['first', 'after the first', 'after the lease of a dead server']);
    await db.$client.end();
  });

  it('is migrated only once by servers that start at the same time', async () => {
    const emptyDatabase = await createDatabaseWithoutTables();
    const emptyProxy = await startPostgresProxy(emptyDatabase.url, MINIMAL_FEATURES_RULES);
    const servers = Array.from({ length: 3 }, () => openDatabase(emptyProxy.url));
    await Promise.all(servers.map((db) => migrateDatabase(db, 'minimal')));
    const { rows } = await servers[0]!.$client.query('select count(*)::int as n from tools');
    expect(rows).toEqual([{ n: 0 }]);
    await Promise.all(servers.map((db) => db.$client.end()));
    await emptyProxy.stop();
    await emptyDatabase.drop();
  });
});
