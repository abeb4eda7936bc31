import { getTableConfig } from 'drizzle-orm/pg-core';
import { Client, type DatabaseError } from 'pg';
import { EMBEDDED_SERVICES, tablesIn } from '../../../server/db/embeddedServices';
import * as schema from '../../../server/db/schema';
import { CONSTRAINT_VIOLATIONS, VALID_ROWS } from '../../support/data/constraintRows';
import { createTestDatabase, type TestDatabase } from '../../support/database';

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
