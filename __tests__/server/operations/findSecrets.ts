import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { query } from '../../support/database';

export type Secrets = Record<string, string>;

/** As it is, and as it could stand in an address, in JSON and in a header. */
const looksOf = (secret: string) => [
  secret,
  encodeURIComponent(secret),
  JSON.stringify(secret).slice(1, -1),
  Buffer.from(secret).toString('base64').replaceAll('=', ''),
];

const heldBy = (text: string, secrets: Secrets) =>
  Object.keys(secrets).filter((name) => looksOf(secrets[name]!).some((look) => text.includes(look)));

export const inText = (where: string, text: string, secrets: Secrets) =>
  heldBy(text, secrets).map((name) => `${name} in ${where}`);

function unpacked(name: string, bytes: Buffer): Buffer {
  if (name.endsWith('.br')) return brotliDecompressSync(bytes);
  return name.endsWith('.gz') ? gunzipSync(bytes) : bytes;
}

/** Every file below, the packed ones unpacked. */
export function inFiles(folder: string, secrets: Secrets): { found: string[]; files: number } {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const found = files.flatMap(({ parentPath, name }) => {
    const text = unpacked(name, readFileSync(join(parentPath, name))).toString('latin1');
    return inText(name, text, secrets);
  });
  return { found, files: files.length };
}

/** Every row of every table, whole, by the table's name. */
export async function everyRow(url: string): Promise<Record<string, string[]>> {
  const tables = await query<{ name: string }>(
    `select quote_ident(table_schema) || '.' || quote_ident(table_name) as name from information_schema.tables
     where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE'`,
    [],
    url,
  );
  const held: Record<string, string[]> = {};
  for (const { name } of tables) {
    const rows = await query<{ row: string }>(`select to_jsonb(t)::text as row from ${name} t order by 1`, [], url);
    held[name.replace('public.', '')] = rows.map(({ row }) => row);
  }
  return held;
}

export async function inTables(url: string, secrets: Secrets): Promise<string[]> {
  const held = Object.entries(await everyRow(url));
  return held.flatMap(([name, rows]) => inText(name, rows.join('\n'), secrets)).sort();
}
