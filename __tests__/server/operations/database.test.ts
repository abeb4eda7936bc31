import { getTableConfig } from 'drizzle-orm/pg-core';
import { Client, type DatabaseError, type PoolConfig } from 'pg';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EMBEDDED_SERVICES, tablesIn } from '../../../server/db/embeddedServices';
import * as schema from '../../../server/db/schema';
import { CONSTRAINT_VIOLATIONS, VALID_ROWS } from './constraintRows';
import { createTestDatabase, type TestDatabase, waitUntilBlocked, testPostgresConfig } from '../../support/database';
import { openPool, type Db } from '../../../server/db/database';
import { migrateDatabase, readMigrations } from '../../../server/db/migrate';
import { checkDatabaseServer } from '../../../server/db/checkDatabaseServer';
import { startPostgresProxy, type ProxyRules } from '../../support/postgresProxy';
import { startServer } from '../../support/server';
import { SUPERUSER } from '../../../embedded/postgres/serverOptions';
import { startShop } from '../../support/shop';

describe('Constraints', () => {
  let database: TestDatabase;
  let client: Client;
  beforeAll(async () => {
    database = await createTestDatabase();
    client = new Client(database.connection);
    await client.connect();
    await client.query(VALID_ROWS);
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  /** Rolls the statement back. @returns the constraint that refused it */
  async function refusedBy(statement: string): Promise<string | undefined> {
    await client.query('begin');
    try {
      const { rowCount } = await client.query(statement);
      expect([statement, rowCount]).not.toEqual([statement, 0]);
      return undefined;
    } catch (error) {
      const { constraint } = error as DatabaseError;
      if (constraint === undefined) throw error;
      return constraint;
    } finally {
      await client.query('rollback');
    }
  }

  it.each(Object.entries(CONSTRAINT_VIOLATIONS))(
    'the database constraint %s refuses inconsistent rows',
    async (constraint, statements) => {
      for (const statement of statements)
        expect([statement, await refusedBy(statement)]).toEqual([statement, constraint]);
    },
  );

  it('the migrations make exactly the check and unique constraints of the schema', async () => {
    const { rows } = await client.query<{ name: string }>(
      `select conname as name from pg_constraint where contype = 'c' and connamespace::regnamespace::text = any($1)
    union all
    select relname from pg_index join pg_class on pg_class.oid = indexrelid
    where indisunique and not indisprimary and relnamespace::regnamespace::text = any($1)`,
      [['public', ...EMBEDDED_SERVICES.map(({ schema: name }) => name)]],
    );
    const names = [schema, ...EMBEDDED_SERVICES.map(({ tables }) => tables)].flatMap(tablesIn).flatMap((table) => {
      const { checks, uniqueConstraints, indexes, columns } = getTableConfig(table);
      return [
        ...checks.map(({ name }) => name),
        ...uniqueConstraints.map(({ name }) => name),
        ...columns.filter(({ isUnique }) => isUnique).map(({ uniqueName }) => uniqueName),
        ...indexes.filter(({ config }) => config.unique).map(({ config }) => config.name),
      ];
    });
    expect(rows.map(({ name }) => name).sort()).toEqual(names.sort());
  });
});

describe('Migrations', () => {
  let database: TestDatabase;
  let servers: Db[];
  beforeEach(async () => {
    database = await createTestDatabase('template0');
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
    const migrations = withMigration(
      '-- without transaction\ncreate index concurrently reviews_name on reviews (name)',
    );
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
});

describe('The database server', () => {
  let database: TestDatabase;
  beforeAll(async () => void (database = await createTestDatabase()));
  afterAll(() => database.drop());

  const replace = (pattern: RegExp, text: string): ProxyRules => ({ rewrite: (sql) => sql.replace(pattern, text) });
  const addOption = (option: string): ProxyRules => ({
    startup: (parameters) => void parameters.set('options', `${parameters.get('options')} -c ${option}`),
  });

  /** @returns the message with which the shop refuses the database when a proxy with these rules is in front of it */
  async function sentenceFor(rules: ProxyRules): Promise<string> {
    const proxy = await startPostgresProxy(database.url, rules);
    const sentence = await checkDatabaseServer(proxy.url).then(
      () => 'The database is accepted.',
      (error: Error) => error.message,
    );
    await proxy.stop();
    return sentence;
  }

  it('DATABASE_URL can name a PostgreSQL server, even one behind a proxy', async () => {
    await expect(checkDatabaseServer(database.url)).resolves.toBeUndefined();
    expect(await sentenceFor({})).toBe('The database is accepted.');
  });

  it.each<[string, ProxyRules, RegExp]>([
    [
      'is too old',
      replace(/^show server_version_num$/, `select '140012' as server_version_num`),
      /a PostgreSQL 14, but/,
    ],
    [
      'is a standby',
      addOption('default_transaction_read_only=on'),
      /a read-only database.* Use the address of the prim/,
    ],
    [
      'drops session settings',
      { startup: (parameters) => void parameters.delete('options') },
      /ignores the settings that the shop sends when it connects: lock_timeout is 0 instead of 3s\. Connect without a connection pooler/,
    ],
    ['overrides one setting', addOption('synchronous_commit=off'), /synchronous_commit is off instead of on/],
    ['shares sessions', replace(/pg_backend_pid\(\)/, '7'), /a connection pooler that shares sessions\. Change it/],
    [
      'ignores advisory locks',
      replace(/pg_try_advisory_lock\(\$1\)/, '$1::bigint > 0'),
      /the same advisory lock to two sess/,
    ],
    [
      'does not deliver NOTIFY',
      replace(/pg_notify\(.*/, 'concat($1::text, $2::text)'),
      /does not deliver notifications \(LISTEN\)/,
    ],
  ])('DATABASE_URL cannot name a database that %s', async (_defect, rules, problem) => {
    const sentence = await sentenceFor(rules);
    expect(sentence).toMatch(/^DATABASE_URL names [^\n]+\.$/);
    expect(sentence).toMatch(problem);
  });

  it('a server does not start with an unsuitable database, and says why', async () => {
    const proxy = await startPostgresProxy(database.url, replace(/pg_notify\(.*/, 'concat($1::text, $2::text)'));
    await expect(startServer({ DATABASE_URL: proxy.url })).rejects.toThrow(
      'DATABASE_URL names a database that does not deliver notifications (LISTEN). Use PostgreSQL itself. [exit 1]',
    );
    await proxy.stop();
  });
});

describe('The database of a deployment', () => {
  const roleAndDatabase = `shop_${randomBytes(6).toString('hex')}`;
  const password = 'a-password-of-its-own';
  const roleConfig: PoolConfig = {
    ...testPostgresConfig(),
    user: roleAndDatabase,
    password,
    database: roleAndDatabase,
  };

  /**
   * Adapts deploy/database.sql to a role and a database of this test. Omits the statements about the superuser's password
   * and about the role of Patroni.
   */
  function statements(): string[] {
    const script = readFileSync(join(__dirname, '../../../deploy/database.sql'), 'utf8');
    const adapted = script
      .replace(/^(--|\\).*$/gm, '')
      .replaceAll(/\bforgeline\b/g, roleAndDatabase)
      .replaceAll(":'password'", `'${password}'`)
      .replace(', postgres, template1 from public', ' from public');
    return adapted
      .split(';')
      .filter((statement) => statement.trim() !== '' && !/alter role postgres|to rewinder/.test(statement));
  }

  async function withConnection<T>(config: PoolConfig, work: (client: Client) => Promise<T>): Promise<T> {
    const client = new Client(config);
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  }
  /** With DATABASE_URL, `testPostgresConfig()` already connects as the superuser. */
  const superuserConfig = (): PoolConfig =>
    process.env['DATABASE_URL'] ? testPostgresConfig() : { ...testPostgresConfig(), user: SUPERUSER };
  const withShopRole = <T>(work: (client: Client) => Promise<T>) => withConnection(roleConfig, work);

  beforeAll(() =>
    withConnection(superuserConfig(), async (client) => {
      for (const statement of statements()) await client.query(statement);
    }),
  );
  afterAll(() =>
    withConnection(superuserConfig(), async (client) => {
      await client.query(`drop database if exists ${roleAndDatabase} with (force)`);
      await client.query(`drop role if exists ${roleAndDatabase}`);
    }),
  );

  const INSUFFICIENT_PRIVILEGE = '42501';

  describe('The role that deploy/database.sql creates', () => {
    it('can run the migrations, the demo and the shop', async () => {
      const shop = await startShop({ connection: roleConfig, env: { DEMO: 'on' } });
      const tools = (await (await fetch(`${shop.origin}/tool`)).json()) as unknown[];
      await shop.close();
      expect(tools.length).toBeGreaterThanOrEqual(24);
    });

    it('is not a superuser, and owns only its own database', async () => {
      const { rows } = await withShopRole((client) =>
        client.query(`
        select rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls,
          (select array_agg(datname::text) from pg_database where datdba = pg_roles.oid) as owns
        from pg_roles where rolname = current_user`),
      );
      expect(rows).toEqual([
        {
          rolsuper: false,
          rolcreaterole: false,
          rolcreatedb: false,
          rolreplication: false,
          rolbypassrls: false,
          owns: [roleAndDatabase],
        },
      ]);
    });

    it.each([
      "select pg_read_file('/etc/passwd')",
      "select pg_ls_dir('/')",
      "copy tools from '/etc/passwd'",
      "copy tools from program 'id'",
      "copy tools to '/tmp/stolen'",
      "select lo_import('/etc/passwd')",
      'create role helper superuser',
      `alter role ${roleAndDatabase} superuser`,
      'create database another',
      "alter system set log_statement = 'all'",
    ])('cannot run the statement: %s', async (statement) => {
      const attack = withShopRole((client) => client.query(statement));
      await expect(attack).rejects.toMatchObject({ code: INSUFFICIENT_PRIVILEGE });
    });
  });
});
