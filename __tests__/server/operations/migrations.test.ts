import { openPool, type Db } from '../../../server/db/database';
import { migrateDatabase, readMigrations } from '../../../server/db/migrate';
import { createDatabaseWithoutTables, waitUntilBlocked, type TestDatabase } from '../../support/database';

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
  await Promise.all(servers.map((db) => migrateDatabase(db, [])));
  const { rows } = await servers[0]!.$client.query('select count(*)::int as n from tools');
  expect(rows).toEqual([{ n: 0 }]);
});

const withMigration = (...sql: string[]) => [
  ...readMigrations(),
  { sql, folderMillis: Number.MAX_SAFE_INTEGER, hash: 'the next one', bps: true },
];

test('servers that start at the same time create an index without stopping the others', async () => {
  const migrations = withMigration('-- without transaction\ncreate index concurrently reviews_name on reviews (name)');
  await Promise.all(servers.map((db) => migrateDatabase(db, [], migrations)));
  const { rows } = await servers[0]!.$client.query(`select from pg_indexes where indexname = 'reviews_name'`);
  expect(rows).toHaveLength(1);
});

test('customers can read a table while a migration waits to change it, and the migration is tried until it can', async () => {
  const [first, second, reading] = servers as [Db, Db, Db];
  await migrateDatabase(first, []);
  const client = await reading.$client.connect();
  await client.query('begin');
  await client.query('select from tools');
  const migrated = migrateDatabase(first, [], withMigration('alter table tools add column weight integer'));
  await waitUntilBlocked({ db: second });
  await second.$client.query('select from tools');
  await client.query('commit');
  client.release();
  await migrated;
  await second.$client.query('select weight from tools');
});

test('a database of a version before the previous one is not changed, and the error says what to do', async () => {
  const [db] = servers as [Db];
  await db.$client.query(`create schema drizzle; create table drizzle.__drizzle_migrations
    (id serial primary key, hash text not null, created_at bigint);
    insert into drizzle.__drizzle_migrations (hash, created_at) values ('of an old version', 1)`);
  await expect(migrateDatabase(db, [])).rejects.toThrow(/^An old version .* in turn\.$/);
  const { rows } = await db.$client.query(`select from pg_tables where schemaname = 'public'`);
  expect(rows).toEqual([]);
});
