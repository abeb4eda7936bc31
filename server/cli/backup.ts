import { createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Db } from '../db/database';
import { writeDump } from '../db/backup';
import { connect } from './connect';

/** The file is there only when it is whole. */
async function write(db: Db, file: string, part: string): Promise<number> {
  const rows = await writeDump(db, (lines) => pipeline(lines, createGzip(), createWriteStream(part, { mode: 0o600 })));
  const handle = await open(part);
  await handle.sync();
  await handle.close();
  await rename(part, file);
  return rows;
}

/** Beside the running server, or without it. */
export async function main([file]: string[], env: Record<string, string | undefined>): Promise<number> {
  if (!file) {
    process.stderr.write('Usage: npm run backup -- FILE\n');
    return 2;
  }
  const part = `${file}.part`;
  const { db, close } = await connect(env);
  try {
    const rows = await write(db, file, part);
    process.stdout.write(`${rows} rows are in ${file}.\n`);
    return 0;
  } catch (error) {
    process.stderr.write(`No backup was made: ${(error as Error).message}.\n`);
    return 1;
  } finally {
    await rm(part, { force: true }).catch(() => undefined);
    await close();
  }
}
