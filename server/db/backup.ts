import { is } from 'drizzle-orm';
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core';
import type { PoolClient } from 'pg';
import type { Db } from './database';
import { newSecret } from './generatedSecrets';
import * as schema from './schema';

const ROWS_AT_ONCE = 500;
export const FORMAT = 'forgeline-backup-1';

const tables = Object.values(schema).filter((value) => is(value, PgTable)) as PgTable[];
const nameOf = (table: PgTable) => getTableConfig(table).name;
const needs = (table: PgTable) => getTableConfig(table).foreignKeys.map((key) => nameOf(key.reference().foreignTable));

/** The names of all tables, each after the tables that it refers to. */
function tablesInOrder(): string[] {
  const sorted: string[] = [];
  const visit = (name: string) => {
    if (sorted.includes(name)) return;
    const table = tables.find((one) => nameOf(one) === name)!;
    for (const other of needs(table)) if (other !== name) visit(other);
    sorted.push(name);
  };
  tables.map(nameOf).sort().forEach(visit);
  return sorted;
}

const identityColumns = tables.flatMap((table) =>
  getTableConfig(table)
    .columns.filter((column) => column.generatedIdentity)
    .map((column) => ({ table: nameOf(table), column: column.name })),
);

export interface Head {
  format: string;
  schema: string;
  at: string;
}

/** Which migrations a database has: a backup goes back only where they are the same. */
export async function schemaVersion(client: PoolClient): Promise<string> {
  const { rows } = await client.query<{ version: string }>(
    `select coalesce(md5(string_agg(hash, ',' order by id)), '') as version from drizzle.__drizzle_migrations`,
  );
  return rows[0]!.version;
}

async function unhurried<T>(db: Db, begin: string, work: (client: PoolClient) => Promise<T>): Promise<T> {
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

/** The whole shop as of one moment, line by line: the head, every row, and an end that says how many they were. */
export function writeDump(db: Db, write: (lines: AsyncIterable<string>) => Promise<void>): Promise<number> {
  return unhurried(db, 'begin isolation level repeatable read read only', async (client) => {
    let count = 0;
    async function* lines() {
      const head: Head = { format: FORMAT, schema: await schemaVersion(client), at: new Date().toISOString() };
      yield `${JSON.stringify(head)}\n`;
      for (const table of tablesInOrder()) {
        await client.query(`declare rows no scroll cursor for select row_to_json(t)::text as row from "${table}" t`);
        for (;;) {
          const { rows } = await client.query<{ row: string }>(`fetch ${ROWS_AT_ONCE} from rows`);
          if (rows.length === 0) break;
          yield rows.map(({ row }) => `${table} ${row}\n`).join('');
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

export class BackupRefused extends Error {}
const refuse = (sentence: string) => new BackupRefused(sentence);

async function insertRows(client: PoolClient, table: string, rows: string[]): Promise<void> {
  if (rows.length === 0) return;
  await client.query(
    `insert into "${table}" overriding system value select * from json_populate_recordset(null::"${table}", $1::json)`,
    [`[${rows.join(',')}]`],
  );
}

async function mustBeEmpty(client: PoolClient): Promise<void> {
  for (const table of ['users', 'tools', 'orders', 'reviews']) {
    const { rows } = await client.query(`select 1 from "${table}" limit 1`);
    if (rows.length > 0) throw refuse('This database holds a shop already: restore goes into an empty one.');
  }
  await client.query(
    `truncate ${tablesInOrder()
      .map((table) => `"${table}"`)
      .join(', ')}`,
  );
}

async function continueNumbers(client: PoolClient): Promise<void> {
  for (const { table, column } of identityColumns)
    await client.query(
      `select setval(pg_get_serial_sequence('"${table}"', '${column}'), coalesce(max("${column}"), 1), max("${column}") is not null) from "${table}"`,
    );
}

function headOf(line: string | undefined): Head {
  try {
    const head = JSON.parse(line ?? '') as Head;
    if (head.format === FORMAT) return head;
  } catch {
    // Not JSON: not ours.
  }
  throw refuse('This file is not a backup of Forgeline.');
}

/** The sandbox's keys stay, because they open only the sandbox of this database. */
const RENEWED = ['access-token', 'shop-name'];

/**
 * A restored copy may run beside the original, with the same keys of the payment provider. With a name of its own it
 * takes none of the original's payments. It forgets the attempts that the original opened, so that it never cancels or
 * settles them, and leaves the original's refunds to the original. Its secrets are not those in the backup file.
 */
async function becomeAnotherShop(client: PoolClient): Promise<void> {
  for (const name of RENEWED) await client.query('update secrets set value = $2 where name = $1', [name, newSecret()]);
  await client.query('delete from identity_keys');
  await client.query(`update payment_attempts set state = 'canceled' where state = 'open'`);
  await client.query(`update payments set returned_at = now() where outcome = 'refund due' and returned_at is null`);
}

/**
 * Everything or nothing: a file that stops in the middle, or of another version, changes nothing. Unless the shop moves,
 * what was restored is another shop than the one that was saved.
 */
export function readDump(db: Db, lines: AsyncIterable<string>, { move }: { move: boolean }): Promise<number> {
  return unhurried(db, 'begin', async (client) => {
    const known = new Set(tablesInOrder());
    let head: Head | undefined;
    let end: number | undefined;
    let count = 0;
    let table = '';
    let rows: string[] = [];
    for await (const line of lines) {
      if (!head) {
        head = headOf(line);
        if (head.schema !== (await schemaVersion(client)))
          throw refuse('This backup is of another version of Forgeline: restore it with that version, then upgrade.');
        await mustBeEmpty(client);
        continue;
      }
      if (line.startsWith('{"end":')) {
        end = (JSON.parse(line) as { end: number }).end;
        continue;
      }
      const space = line.indexOf(' ');
      const name = line.slice(0, space);
      if (!known.has(name)) throw refuse('This backup is damaged: a line of it is not a row.');
      if (name !== table || rows.length >= ROWS_AT_ONCE) {
        await insertRows(client, table, rows);
        [table, rows] = [name, []];
      }
      rows.push(line.slice(space + 1));
      count++;
    }
    await insertRows(client, table, rows);
    if (!head) throw refuse('This file is empty.');
    if (end !== count) throw refuse('The backup file is truncated.');
    await continueNumbers(client);
    if (!move) await becomeAnotherShop(client);
    return count;
  });
}
