import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, type PoolConfig } from 'pg';
import { SUPERUSER } from '../../../embedded/postgres/serverOptions';
import { testPostgresConfig } from '../../support/database';
import { startShop } from '../../support/shop';

const roleAndDatabase = `shop_${randomBytes(6).toString('hex')}`;
const password = 'a-password-of-its-own';
const roleConfig: PoolConfig = { ...testPostgresConfig(), user: roleAndDatabase, password, database: roleAndDatabase };

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
