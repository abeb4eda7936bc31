import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { query } from '../../support/database';

export type Secrets = Record<string, string>;

/** The secret as plain text, and as it would appear in a URL, in JSON and in a header. */
const encodingsOf = (secret: string) => [
  secret,
  encodeURIComponent(secret),
  JSON.stringify(secret).slice(1, -1),
  Buffer.from(secret).toString('base64').replaceAll('=', ''),
];

const secretNamesIn = (text: string, secrets: Secrets) =>
  Object.keys(secrets).filter((name) => encodingsOf(secrets[name]!).some((encoded) => text.includes(encoded)));

export const findInText = (where: string, text: string, secrets: Secrets) =>
  secretNamesIn(text, secrets).map((name) => `${name} in ${where}`);

function decompress(name: string, bytes: Buffer): Buffer {
  if (name.endsWith('.br')) return brotliDecompressSync(bytes);
  return name.endsWith('.gz') ? gunzipSync(bytes) : bytes;
}

/** Searches every file below a folder. Compressed files are decompressed. */
export function findInFiles(folder: string, secrets: Secrets): { found: string[]; fileCount: number } {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const found = files.flatMap(({ parentPath, name }) => {
    const text = decompress(name, readFileSync(join(parentPath, name))).toString('latin1');
    return findInText(name, text, secrets);
  });
  return { found, fileCount: files.length };
}

/** @returns the rows of every table as JSON, by the name of the table */
export async function readAllRows(url: string): Promise<Record<string, string[]>> {
  const tables = await query<{ name: string }>(
    `select quote_ident(table_schema) || '.' || quote_ident(table_name) as name from information_schema.tables
     where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE'`,
    [],
    url,
  );
  const rowsByTable: Record<string, string[]> = {};
  for (const { name } of tables) {
    const rows = await query<{ row: string }>(`select to_jsonb(t)::text as row from ${name} t order by 1`, [], url);
    rowsByTable[name.replace('public.', '')] = rows.map(({ row }) => row);
  }
  return rowsByTable;
}

export async function findInTables(url: string, secrets: Secrets): Promise<string[]> {
  const tables = Object.entries(await readAllRows(url));
  return tables.flatMap(([name, rows]) => findInText(name, rows.join('\n'), secrets)).sort();
}
