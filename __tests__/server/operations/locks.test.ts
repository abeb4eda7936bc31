import { openPool, type Db } from '../../../server/db/database';
import { runUnlessSweeping } from '../../../server/db/locks';
import { migrateDatabase, readMigrations } from '../../../server/db/migrate';
import { createDatabaseWithoutTables, waitUntilBlocked, type TestDatabase } from '../../support/database';
import { expectEventually } from '../../support/wait';

let database: TestDatabase;
let servers: Db[];
beforeEach(async () => {
  database = await createDatabaseWithoutTables();
  servers = [0, 1, 2].map(() => openPool(database.connection, () => undefined, 2));
});
afterEach(async () => {
  for (const { $client } of servers) await $client.end();
  await database.drop();
});

test('servers that start at the same time on a new database migrate it once', async () => {
  await Promise.all(servers.map((db) => migrateDatabase(db)));
  const { rows } = await servers[0]!.$client.query('select count(*)::int as n from tools');
  expect(rows).toEqual([{ n: 0 }]);
});

const withMigration = (...sql: string[]) => [
  ...readMigrations(),
  { sql, folderMillis: Number.MAX_SAFE_INTEGER, hash: 'the next one', bps: true },
];

test('servers that start at the same time create an index without stopping the others', async () => {
  const migrations = withMigration('-- without transaction\ncreate index concurrently reviews_name on reviews (name)');
  await Promise.all(servers.map((db) => migrateDatabase(db, migrations)));
  const { rows } = await servers[0]!.$client.query(`select from pg_indexes where indexname = 'reviews_name'`);
  expect(rows).toHaveLength(1);
});

test('customers can read a table while a migration waits to change it, and the migration is tried until it can', async () => {
  const [first, second, reading] = servers as [Db, Db, Db];
  await migrateDatabase(first);
  const client = await reading.$client.connect();
  await client.query('begin');
  await client.query('select from tools');
  const migrated = migrateDatabase(first, withMigration('alter table tools add column weight integer'));
  await waitUntilBlocked({ db: second });
  await second.$client.query('select from tools');
  await client.query('commit');
  client.release();
  await migrated;
  await second.$client.query('select weight from tools');
});

test('only one server sweeps at a time, and another one can sweep after a sweep that failed', async () => {
  const runs: string[] = [];
  const sweepAs = (server: number, name: string, work = () => Promise.resolve()) =>
    runUnlessSweeping(servers[server]!, async () => {
      runs.push(name);
      await work();
    });
  await sweepAs(0, 'first', () => sweepAs(1, 'during the first'));
  await expect(sweepAs(1, 'second', () => Promise.reject(new Error('fails')))).rejects.toThrow('fails');
  // PostgreSQL notices a closed connection a moment later.
  await expectEventually(async () => {
    await sweepAs(2, 'third');
    return runs.includes('third');
  }, true);
  expect(runs).toEqual(['first', 'second', 'third']);
});
