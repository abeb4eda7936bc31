import { is } from 'drizzle-orm';
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core';
import * as schema from './schema';

const all = Object.values(schema).filter((value) => is(value, PgTable)) as PgTable[];
const nameOf = (table: PgTable) => getTableConfig(table).name;
const needs = (table: PgTable) => getTableConfig(table).foreignKeys.map((key) => nameOf(key.reference().foreignTable));

/** Every table's name, each after those that it refers to. */
export function tablesInOrder(): string[] {
  const sorted: string[] = [];
  const visit = (name: string) => {
    if (sorted.includes(name)) return;
    const table = all.find((one) => nameOf(one) === name)!;
    for (const other of needs(table)) if (other !== name) visit(other);
    sorted.push(name);
  };
  all.map(nameOf).sort().forEach(visit);
  return sorted;
}

export const identityColumns = all.flatMap((table) =>
  getTableConfig(table)
    .columns.filter((column) => column.generatedIdentity)
    .map((column) => ({ table: nameOf(table), column: column.name })),
);
