import { createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Db } from '../db/database';
import { writeDump } from '../db/backup';
import { connectToShopDatabase } from './connectToShopDatabase';

/** Writes a partial file and renames it at the end, so that a file with the final name is always complete. */
async function writeBackup(db: Db, file: string, partialFile: string): Promise<number> {
  const rows = await writeDump(db, (lines) =>
    pipeline(lines, createGzip(), createWriteStream(partialFile, { mode: 0o600 })),
  );
  const handle = await open(partialFile);
  await handle.sync();
  await handle.close();
  await rename(partialFile, file);
  return rows;
}

/**
 * Also works while the server is running.
 * @returns the exit code
 */
export async function main([file]: string[], env: Record<string, string | undefined>): Promise<number> {
  if (!file) {
    process.stderr.write('Usage: npm run backup -- FILE\n');
    return 2;
  }
  const partialFile = `${file}.part`;
  const { db, close } = await connectToShopDatabase(env);
  try {
    const rows = await writeBackup(db, file, partialFile);
    process.stdout.write(`Saved ${rows} rows to ${file}.\n`);
    return 0;
  } catch (error) {
    process.stderr.write(`No backup was made: ${(error as Error).message}.\n`);
    return 1;
  } finally {
    await rm(partialFile, { force: true }).catch(() => undefined);
    await close();
  }
}
