import { Client, type ClientConfig } from 'pg';
import pino from 'pino';
import { openPool } from '../../server/db/database';
import { EMBEDDED_SERVICES } from '../../server/db/embeddedServices';
import { migrateDatabase } from '../../server/db/migrate';
import { SESSION_SETTINGS } from '../../server/db/database';
import { RESTORE_INITIAL_ROWS } from './initialRows';
import { scheduler } from './scheduler';

/** Includes the process id, so that several simulators can use the same PostgreSQL. */
export const DATABASE_NAME = `forgeline_simulate_${process.pid}`;

/**
 * Replaces PostgreSQL's functions for the clock, random numbers, ids and connection numbers with functions of the
 * simulator: the schema `sim` comes before `pg_catalog` in the search path. Notifications are dropped and write
 * counters are empty, because the seed does not decide when PostgreSQL sends or updates them.
 */
const SIMULATED_FUNCTIONS = `
create schema sim;
create table sim.clock (at timestamptz not null);
insert into sim.clock values ('2026-01-05T12:00:00Z');
create sequence sim.ids;
create function sim.now() returns timestamptz language sql stable as 'select at from sim.clock';
create function sim.gen_random_uuid() returns uuid language sql volatile as
  $$select pg_catalog.md5('id ' || pg_catalog.nextval('sim.ids'))::uuid$$;
create function sim.random() returns double precision language sql volatile as
  $$select pg_catalog.abs(pg_catalog.hashtext('random ' || pg_catalog.nextval('sim.ids'))::float8) / 2147483649$$;
create function sim.pg_backend_pid() returns int language sql stable as
  $$select pg_catalog.current_setting('sim.connection')::int$$;
create function sim.pg_notify(text, text) returns void language sql as 'select';
create view sim.pg_stat_user_tables as
  select null::name as relname, 0::bigint n_tup_ins, 0::bigint n_tup_upd, 0::bigint n_tup_del where false;
do $$
declare c record;
begin
  for c in select d.adrelid::regclass as tab, a.attname, pg_get_expr(d.adbin, d.adrelid) as value
    from pg_attrdef d join pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum
    where pg_get_expr(d.adbin, d.adrelid) in ('now()', 'gen_random_uuid()')
  loop
    execute format('alter table %s alter column %I set default sim.%s', c.tab, c.attname, c.value);
  end loop;
end $$;`;

/**
 * The server's settings without timeouts, which would measure real time. The scheduler ends waits by simulated time.
 */
const SETTINGS = {
  ...SESSION_SETTINGS,
  lock_timeout: '0',
  statement_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  synchronous_commit: 'off',
  jit: 'off',
  search_path: 'sim,pg_catalog,public',
};
const optionsOf = (settings: Record<string, string>) =>
  Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value.replace(' ', '\\ ')}`)
    .join(' ');

/**
 * The scheduler finds deadlocks itself, so PostgreSQL's own search after one second is delayed if the role may set this
 * delay.
 */
let deadlockSettings: Record<string, string> = {};

export async function chooseDeadlockSettings(): Promise<void> {
  const { rows } = await scheduler.controlConnection.query<{ canSet: boolean }>(
    `select has_parameter_privilege('deadlock_timeout', 'SET') as "canSet"`,
  );
  deadlockSettings = rows[0]!.canSet ? { deadlock_timeout: '1h' } : {};
}

export const steppedConnection = (server: ClientConfig): ClientConfig => ({
  ...server,
  database: DATABASE_NAME,
  options: optionsOf({ ...SETTINGS, ...deadlockSettings }),
  query_timeout: 0,
});

export async function dropDatabase(server: ClientConfig) {
  const client = new Client(server);
  await client.connect();
  await client.query(`drop database if exists ${DATABASE_NAME} with (force)`);
  await client.end();
}

async function recreateDatabase(server: ClientConfig) {
  const client = new Client(server);
  await client.connect();
  await client.query(`drop database if exists ${DATABASE_NAME} with (force)`);
  await client.query(`create database ${DATABASE_NAME} template template0 encoding 'UTF8' locale 'C'`);
  await client.end();
}

/** Creates a database with the shop's migrations and the simulated functions, and connects the scheduler to it. */
export async function prepareDatabase(server: ClientConfig): Promise<void> {
  await recreateDatabase(server);
  const db = openPool({ ...server, database: DATABASE_NAME }, () => undefined);
  await migrateDatabase(db, EMBEDDED_SERVICES);
  await db.$client.query(SIMULATED_FUNCTIONS);
  await db.$client.end();
  await scheduler.connect({ ...server, database: DATABASE_NAME });
  await chooseDeadlockSettings();
}

const KEPT_TABLES = ['public.secrets', 'embedded_identity.keys'];

/** Empties the tables and restores the rows with which every seed begins, in the same order on disk. */
export async function emptyDatabase(): Promise<void> {
  const control = scheduler.controlConnection;
  const { rows } = await control.query<{ name: string }>(
    `select schemaname || '.' || tablename as name from pg_tables
     where schemaname = any($1) and tablename <> '__drizzle_migrations' and schemaname || '.' || tablename <> all($2)`,
    [['public', ...EMBEDDED_SERVICES.map(({ schema }) => schema)], KEPT_TABLES],
  );
  await control.query(`truncate ${rows.map(({ name }) => name).join(', ')} restart identity cascade;
    update sim.clock set at = '2026-01-05T12:00:00Z'; alter sequence sim.ids restart; ${RESTORE_INITIAL_ROWS}`);
}

export const silentLog = pino({ level: 'silent' });
