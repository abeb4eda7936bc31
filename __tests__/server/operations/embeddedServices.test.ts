import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { escapeLiteral } from 'pg';
import { main as backup } from '../../../server/cli/backup';
import { main as clearDemo } from '../../../server/cli/demo';
import { main as restore } from '../../../server/cli/restore';
import { openPool } from '../../../server/db/database';
import { EMBEDDED_SERVICES } from '../../../server/db/embeddedServices';
import { migrateDatabase, readMigrations } from '../../../server/db/migrate';
import { runCli } from '../../support/cli';
import { query, type TestDatabase, createTestDatabase } from '../../support/database';
import { openPaymentTestKit } from '../../support/payments';
import { FIREBASE_ENV } from '../../support/googleTokens';
import { startShop } from '../../support/shop';
import { callAccounts } from '../../support/customers';

const ACCOUNT = { email: 'ann@mail.example', password: 'secret-1' };
const VENDORS = {
  ...FIREBASE_ENV,
  STRIPE_SECRET_KEY: 'sk_test_1',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_1',
};
const MIGRATIONS_OF_PREVIOUS_VERSION = readMigrations().slice(0, 4);
/** The schemas of the embedded services, and how the names of their tables began in the previous version. */
const SERVICES = { embedded_identity: 'identity_', embedded_stripe: 'sandbox_' };

const folder = mkdtempSync(join(tmpdir(), 'forgeline-services-'));
const backupFile = join(folder, 'shop.backup');
const databases: TestDatabase[] = [];

async function createDatabase() {
  const database = await createTestDatabase('template0');
  databases.push(database);
  return database;
}

afterEach(async () => {
  for (const database of databases.splice(0)) await database.drop();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const readSchemas = async ({ url }: TestDatabase) =>
  (
    await query<{ name: string }>(
      `select nspname as name from pg_namespace where nspname !~ '^pg_|^information_schema$' order by 1`,
      [],
      url,
    )
  ).map(({ name }) => name);

/** @returns tables and views of the embedded services by their old names in the public schema */
const readOldNames = ({ url }: TestDatabase) =>
  query(
    `select relname from pg_class where relnamespace = 'public'::regnamespace and relname ~ '^(identity|sandbox)_'`,
    [],
    url,
  );

/** Columns, constraints and indexes of the services' tables. */
const readTables = async ({ url }: TestDatabase) =>
  (
    await query<{ text: string }>(
      `with tables as (select oid from pg_class where relkind = 'r' and relname <> '__drizzle_migrations'
        and relnamespace::regnamespace::text = any($1))
      select concat_ws(' ', attrelid::regclass, attname, format_type(atttypid, atttypmod), attnotnull,
        pg_get_expr(adbin, adrelid)) as text
      from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum
      where attrelid in (select oid from tables) and attnum > 0
      union all
      select concat_ws(' ', conname, pg_get_constraintdef(oid)) from pg_constraint
      where conrelid in (select oid from tables) and contype <> 'n'
      union all
      select pg_get_indexdef(indexrelid) from pg_index where indrelid in (select oid from tables)
      order by 1`,
      [Object.keys(SERVICES)],
      url,
    )
  ).map(({ text }) => text);

/** @returns an empty database of the previous version, which has the services' tables in the public schema */
async function createPreviousVersion() {
  const database = await createDatabase();
  const db = openPool(database.connection, () => undefined, 1);
  await migrateDatabase(db, EMBEDDED_SERVICES, MIGRATIONS_OF_PREVIOUS_VERSION);
  await db.$client.end();
  const tables = await query<{ schema: keyof typeof SERVICES; name: string }>(
    `select schemaname as schema, tablename as name from pg_tables
     where schemaname = any($1) and tablename <> '__drizzle_migrations'`,
    [Object.keys(SERVICES)],
    database.url,
  );
  for (const { schema, name } of tables) {
    const oldName = SERVICES[schema] + name;
    await query(`alter table ${schema}.${name} rename to ${oldName}`, [], database.url);
    await query(`alter table ${schema}.${oldName} set schema public`, [], database.url);
  }
  await query(`drop schema ${Object.keys(SERVICES).join()} cascade`, [], database.url);
  return database;
}

/** @returns a database of the previous version with the rows of `source`, without the columns that came later */
async function copyToPreviousVersion(source: TestDatabase) {
  const database = await createPreviousVersion();
  const tables = await query<{ name: string; columns: string }>(
    `select table_name as name, string_agg(quote_ident(column_name), ', ') as columns from information_schema.columns
     join information_schema.tables using (table_schema, table_name)
     where table_schema = 'public' and table_type = 'BASE TABLE' and is_generated = 'NEVER' group by 1`,
    [],
    database.url,
  );
  const inserts = tables.map(async ({ name, columns }) => {
    const [schema, prefix = ''] = Object.entries(SERVICES).find(([, start]) => name.startsWith(start)) ?? ['public'];
    const [stored] = await query<{ rows: string }>(
      `select coalesce(json_agg(r), '[]')::text as rows
       from (select ${columns} from ${schema}.${name.slice(prefix.length)}) r`,
      [],
      source.url,
    );
    return `insert_${name} as (insert into ${name} (${columns}) overriding system value
      select ${columns} from json_populate_recordset(null::${name}, ${escapeLiteral(stored!.rows)}))`;
  });
  // In one statement, because foreign keys are checked at its end.
  await query(`with ${(await Promise.all(inserts)).join()} select`, [], database.url);
  return database;
}

const openKit = (database: TestDatabase, env = {}) =>
  openPaymentTestKit({ withoutWebhooks: true, connection: database.connection, env });
const signIn = (origin: string) => callAccounts(origin, 'signInWithPassword', { ...ACCOUNT, returnSecureToken: true });

/** Starts a shop with the embedded services, with an account and an order whose card is charged. */
async function useServices(database: TestDatabase) {
  const kit = await openKit(database);
  expect((await callAccounts(kit.origin, 'signUp', ACCOUNT)).status).toBe(200);
  const charged = await kit.createChargedOrder();
  await kit.close();
  return charged;
}

async function expectAccountAndPayment(database: TestDatabase, charged: Awaited<ReturnType<typeof useServices>>) {
  const kit = await openKit(database);
  expect((await signIn(kit.origin)).status).toBe(200);
  const { customer, order, intentId } = charged;
  expect((await kit.patchOrder(customer, order._id, intentId)).body).toMatchObject({ status: 'paid' });
  expect(await kit.countCharges(order._id)).toBe(1);
  await kit.close();
}

async function runBackup({ env }: TestDatabase, settings = {}) {
  expect((await runCli(backup, [backupFile], { ...env, ...settings })).code).toBe(0);
  return gunzipSync(readFileSync(backupFile)).toString();
}

describe('a shop on Firebase and Stripe', () => {
  it('has no table of the embedded services, and its backup neither', async () => {
    const database = await createDatabase();
    await (await startShop({ connection: database.connection, env: VENDORS })).close();
    expect(await readSchemas(database)).toEqual(['drizzle', 'public']);
    expect(await readOldNames(database)).toEqual([]);
    expect(await runBackup(database, VENDORS)).not.toMatch(/identity|sandbox|embedded/);
    const target = await createDatabase();
    expect((await runCli(restore, [backupFile], { ...target.env, ...VENDORS })).code).toBe(0);
    expect((await runCli(clearDemo, [], { ...target.env, ...VENDORS })).code).toBe(0);
    expect(await readSchemas(target)).toEqual(['drizzle', 'public']);
  });

  it('drops the empty tables that the previous version made', async () => {
    const database = await createPreviousVersion();
    expect(await readOldNames(database)).not.toEqual([]);
    await (await startShop({ connection: database.connection, env: VENDORS })).close();
    expect(await readSchemas(database)).toEqual(['drizzle', 'public']);
    expect(await readOldNames(database)).toEqual([]);
  });

  it('keeps accounts and payments from the time when it had the embedded services, also in its backup', async () => {
    const today = await createDatabase();
    const charged = await useServices(today);
    const database = await copyToPreviousVersion(today);
    await (await startShop({ connection: database.connection, env: VENDORS })).close();
    await runBackup(database, VENDORS);
    const target = await createDatabase();
    expect((await runCli(restore, [backupFile, '--move'], { ...target.env, ...VENDORS })).code).toBe(0);
    await expectAccountAndPayment(target, charged);
  });
});

describe("a database of the previous version, with the services' tables in the public schema", () => {
  it('keeps accounts, passwords and payments when the tables move', async () => {
    const today = await createDatabase();
    const charged = await useServices(today);
    const newTables = await readTables(today);
    expect(newTables.length).toBeGreaterThan(100);
    const database = await copyToPreviousVersion(today);
    await expectAccountAndPayment(database, charged);
    expect(await readTables(database)).toEqual(newTables);
  });

  it('still accepts the statements of the previous version', async () => {
    const today = await createDatabase();
    await useServices(today);
    const database = await copyToPreviousVersion(today);
    await (await startShop({ connection: database.connection })).close();
    const run = (statement: string) => query<{ n: number }>(statement, [], database.url);
    expect(
      await run(`insert into identity_federated (provider_id, raw_id, local_id, email)
        select 'google.com', '1', local_id, email from identity_accounts
        on conflict (provider_id, raw_id) do update set email = excluded.email returning 1 as n`),
    ).toEqual([{ n: 1 }]);
    expect(
      await run(`select 1 as n from identity_federated f join identity_accounts a using (local_id) for update of a`),
    ).toEqual([{ n: 1 }]);
    expect(
      await run(`update sandbox_events set attempts = 1 where id = any(array(
        select id from sandbox_events limit 1 for update skip locked)) returning 1 as n`),
    ).toEqual([{ n: 1 }]);
    await run(`insert into sandbox_idempotency select 'key', 'hash', 200, '{}'`);
    await expect(run(`insert into sandbox_idempotency select 'key', 'hash', 200, '{}'`)).rejects.toMatchObject({
      constraint: 'sandbox_idempotency_pkey',
    });
    expect(await run(`delete from identity_codes returning 1 as n`)).toEqual([]);
  });
});

test('a backup of a shop with the embedded services has their data', async () => {
  const database = await createDatabase();
  const charged = await useServices(database);
  expect(await runBackup(database)).toMatch(/embedded_identity\.accounts [^]*embedded_stripe\.intents /);
  const target = await createDatabase();
  expect((await runCli(restore, [backupFile, '--move'], target.env)).code).toBe(0);
  await expectAccountAndPayment(target, charged);
});
