import { getTableConfig, type PgTable } from 'drizzle-orm/pg-core';
import type { PoolClient } from 'pg';
import type { Db } from './database';
import { EMBEDDED_SERVICES, findStoredServices, hasStoredAccounts, tablesIn } from './embeddedServices';
import { generateSecret } from './generatedSecrets';
import { migrateDatabase, readSchemaVersion } from './migrate';
import * as schema from './schema';

/** A picture has up to 250 KB, and twice as many characters in the file. */
const rowsPerBatch = (table: string) => (table === 'pictures' ? 10 : 500);
export const BACKUP_FORMAT = 'forgeline-backup-1';

/** The name in SQL and in the file. */
function tableNameOf(table: PgTable): string {
  const { schema: service, name } = getTableConfig(table);
  return service ? `${service}.${name}` : name;
}
const referencesOf = (table: PgTable) =>
  getTableConfig(table).foreignKeys.map((key) => tableNameOf(key.reference().foreignTable));

/** @returns the tables in this database. Each table comes after the tables that it references. */
async function findTablesInOrder(client: PoolClient): Promise<string[]> {
  const services = await findStoredServices(client);
  const tables = new Map(
    [schema, ...services.map((service) => service.tables)]
      .flatMap(tablesIn)
      .map((table) => [tableNameOf(table), table]),
  );
  const sorted: string[] = [];
  const visit = (name: string) => {
    if (sorted.includes(name)) return;
    for (const other of referencesOf(tables.get(name)!)) if (other !== name) visit(other);
    sorted.push(name);
  };
  [...tables.keys()].sort().forEach(visit);
  return sorted;
}

const identityColumns = tablesIn(schema).flatMap((table) =>
  getTableConfig(table)
    .columns.filter((column) => column.generatedIdentity)
    .map((column) => ({ table: tableNameOf(table), column: column.name })),
);

export interface BackupHeader {
  format: string;
  /** A backup can be restored only into a database with the same versions. */
  schema: string;
  /** The versions of the embedded services that have stored data, by their PostgreSQL schema. */
  services: Record<string, string>;
  at: string;
}

async function readServiceVersions(client: PoolClient): Promise<BackupHeader['services']> {
  const versions: BackupHeader['services'] = {};
  for (const service of await findStoredServices(client))
    versions[service.schema] = await readSchemaVersion(client, service.schema);
  return versions;
}

/** Runs `work` in a transaction without the usual timeouts, because a dump or a restore may take longer. */
async function runWithoutTimeouts<T>(db: Db, begin: string, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await db.$client.connect();
  try {
    await client.query(begin);
    await client.query('set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0');
    const result = await work(client);
    await client.query('commit');
    return result;
  } finally {
    client.release(true);
  }
}

/** Some programs, such as Node's `readline`, end a line at these characters too. */
const escapeLineSeparators = (json: string) =>
  json.replace(/[\u2028\u2029]/g, (character) => `\\u${character.charCodeAt(0).toString(16)}`);

/** Writes a snapshot of the whole shop as lines: a header, all rows, and finally the number of rows. */
export function writeDump(db: Db, write: (lines: AsyncIterable<string>) => Promise<void>): Promise<number> {
  return runWithoutTimeouts(db, 'begin isolation level repeatable read read only', async (client) => {
    let count = 0;
    async function* lines() {
      const header: BackupHeader = {
        format: BACKUP_FORMAT,
        schema: await readSchemaVersion(client),
        services: await readServiceVersions(client),
        at: new Date().toISOString(),
      };
      yield `${JSON.stringify(header)}\n`;
      for (const table of await findTablesInOrder(client)) {
        await client.query(`declare rows no scroll cursor for select row_to_json(t)::text as row from ${table} t`);
        for (;;) {
          const { rows } = await client.query<{ row: string }>(`fetch ${rowsPerBatch(table)} from rows`);
          if (rows.length === 0) break;
          yield rows.map(({ row }) => `${table} ${escapeLineSeparators(row)}\n`).join('');
          count += rows.length;
        }
        await client.query('close rows');
      }
      yield `${JSON.stringify({ end: count })}\n`;
    }
    await write(lines());
    return count;
  });
}

export class BackupError extends Error {}

async function insertRows(client: PoolClient, table: string, rows: string[]): Promise<void> {
  if (rows.length === 0) return;
  await client.query(
    `insert into ${table} overriding system value select * from json_populate_recordset(null::${table}, $1::json)`,
    [`[${rows.join(',')}]`],
  );
}

/**
 * Deletes the rows that the migrations and the start have inserted, because the backup has its own.
 * @throws BackupError if the database has data of a shop
 */
async function prepareEmptyDatabase(client: PoolClient, tables: string[]): Promise<void> {
  for (const table of ['users', 'tools', 'orders', 'reviews']) {
    const { rows } = await client.query(`select 1 from ${table} limit 1`);
    if (rows.length > 0) throw new BackupError('This database is not empty. Restore into an empty one.');
  }
  await client.query(`truncate ${tables.join(', ')}`);
}

async function resetSequences(client: PoolClient): Promise<void> {
  for (const { table, column } of identityColumns)
    await client.query(`
      select setval(pg_get_serial_sequence('${table}', '${column}'), coalesce(max("${column}"), 1),
        max("${column}") is not null) from ${table}`);
}

function parseHeader(line: string | undefined): BackupHeader {
  try {
    const header = JSON.parse(line ?? '') as BackupHeader;
    if (header.format === BACKUP_FORMAT) return header;
  } catch {
    // The file is not JSON, so another program has written it.
  }
  throw new BackupError('This file is not a Forgeline backup.');
}

/**
 * Creates the tables of the services that have data in the backup.
 * @throws BackupError if the database has other versions of the tables than the backup
 */
async function prepareVersion(db: Db, client: PoolClient, header: BackupHeader): Promise<void> {
  const isSameVersion = header.schema === (await readSchemaVersion(client));
  if (isSameVersion)
    await migrateDatabase(
      db,
      EMBEDDED_SERVICES.filter((service) => service.schema in header.services),
    );
  const versions = await readServiceVersions(client);
  if (!isSameVersion || Object.entries(header.services).some(([name, version]) => versions[name] !== version))
    throw new BackupError(
      'Another version of Forgeline wrote this backup. Restore it with that version, then upgrade.',
    );
}

export const USE_ANOTHER_FILE = 'Copy it again, or use another backup.';

/** The sandbox's keys are not renewed, because they give access only to the sandbox, where no real money moves. */
const SECRETS_TO_RENEW = ['access-token', 'shop-name'];

/**
 * Turns the restored shop into a separate shop, because it may run beside the original and share its account at the
 * payment provider.
 *
 * - It gets its own name, so that it ignores the original's payments.
 * - Open attempts are closed, so that it never cancels or settles the original's intents.
 * - The original's payments are marked, so that only the original refunds them.
 * - Queued emails count as not sent, because the original sends them.
 * - It gets new secrets and no key of a machine, so that nobody can use those of the original or of the backup file.
 */
async function convertToSeparateShop(client: PoolClient): Promise<void> {
  for (const name of SECRETS_TO_RENEW)
    await client.query('update secrets set value = $2 where name = $1', [name, generateSecret()]);
  await client.query('delete from machine_keys');
  if (await hasStoredAccounts(client)) await client.query('delete from embedded_identity.keys');
  await client.query(`update payment_attempts set state = 'canceled' where state = 'open'`);
  await client.query('update payments set of_original = true');
  await client.query(`update mails set state = 'not sent' where state = 'queued'`);
}

/**
 * Restores a backup in one transaction. If the file is truncated or from another version, nothing changes.
 * @param move whether the restored shop replaces the original. Otherwise it becomes a separate shop.
 */
export function readDump(db: Db, lines: AsyncIterable<string>, { move }: { move: boolean }): Promise<number> {
  return runWithoutTimeouts(db, 'begin', async (client) => {
    let known: string[] = [];
    let header: BackupHeader | undefined;
    let end: number | undefined;
    let count = 0;
    let table = '';
    let rows: string[] = [];
    for await (const line of lines) {
      if (!header) {
        header = parseHeader(line);
        await prepareVersion(db, client, header);
        known = await findTablesInOrder(client);
        await prepareEmptyDatabase(client, known);
        continue;
      }
      if (line.startsWith('{"end":')) {
        end = (JSON.parse(line) as { end: number }).end;
        continue;
      }
      const space = line.indexOf(' ');
      const name = line.slice(0, space);
      if (!known.includes(name)) throw new BackupError(`The backup file is damaged. ${USE_ANOTHER_FILE}`);
      if (name !== table || rows.length >= rowsPerBatch(table)) {
        await insertRows(client, table, rows);
        [table, rows] = [name, []];
      }
      rows.push(line.slice(space + 1));
      count++;
    }
    await insertRows(client, table, rows);
    if (!header) throw new BackupError(`The backup file is empty. ${USE_ANOTHER_FILE}`);
    if (end !== count) throw new BackupError(`The backup file is truncated. ${USE_ANOTHER_FILE}`);
    await resetSequences(client);
    if (!move) await convertToSeparateShop(client);
    return count;
  });
}
