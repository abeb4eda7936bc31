import { createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Db } from '../db/database';
import { writeDump } from '../db/backup';
import type { Env } from '../settings/readers';
import { print, printError, withShop } from './runCommand';

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
export async function main([file]: string[], env: Env): Promise<number> {
  if (!file) {
    printError('Usage: npm run backup -- FILE');
    return 2;
  }
  const partialFile = `${file}.part`;
  return withShop(async ({ db }) => {
    try {
      print(`Saved ${await writeBackup(db, file, partialFile)} rows to ${file}.`);
      return 0;
    } catch (error) {
      printError(`No backup was made: ${(error as Error).message}.`);
      return 1;
    } finally {
      await rm(partialFile, { force: true }).catch(() => undefined);
    }
  }, env);
}
