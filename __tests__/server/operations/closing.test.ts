import { createTestDatabase, query, type TestDatabase } from '../../support/database';
import { startShop } from '../../support/shop';
import { expectEventually } from '../../support/wait';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('a shop that is closed answers no more requests and has ended all connections to its database', async () => {
  const shop = await startShop({ connection: database.connection });
  expect((await fetch(`${shop.origin}/readyz`)).status).toBe(200);
  await shop.close();
  expect([shop.deps.closing.aborted, shop.deps.db.$client.ended, shop.deps.db.$client.totalCount]).toEqual([
    true,
    true,
    0,
  ]);
  await expect(fetch(`${shop.origin}/readyz`)).rejects.toThrow();
});

test('a shop runs its background jobs unless they are turned off', async () => {
  await query(`insert into rate_limits (bucket, hits, resets_at) values ('expired', 1, 'epoch')`, [], database.url);
  const countExpired = () => query(`select 1 from rate_limits where bucket = 'expired'`, [], database.url);
  const idleShop = await startShop({ connection: database.connection, backgroundJobs: false });
  expect(await countExpired()).toHaveLength(1);
  await idleShop.close();
  const shop = await startShop({ connection: database.connection, backgroundJobs: undefined });
  await expectEventually(countExpired, []);
  await shop.close();
});

test('a shop without the demo refuses to start on a database with demo tools, and closes its connections', async () => {
  const demo = await startShop({ connection: database.connection, env: { DEMO: 'on' } });
  await expect(startShop({ connection: database.connection, env: { DEMO: 'off' } })).rejects.toThrow(
    new Error('DEMO must not be off while this database has demo tools. Remove them with "npm run demo:clear".'),
  );
  await demo.close();
});
