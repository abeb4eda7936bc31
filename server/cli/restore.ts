import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import { BackupRefused, readDump } from '../db/dump';
import { startEmbedded } from '../db/embedded';
import { connect } from './connect';

const say = (sentence: string) => void process.stderr.write(`${sentence}\n`);

/** Into the embedded database or DATABASE_URL, when it is empty and no server runs on it. */
export async function main([file]: string[], env: Record<string, string | undefined>): Promise<number> {
  if (!file) {
    say('Usage: npm run restore -- FILE');
    return 2;
  }
  const { db, close } = await connect(env, startEmbedded);
  try {
    const rows = await readDump(db, linesOf(file));
    process.stdout.write(`${rows} rows are back from ${file}.\n`);
    return 0;
  } catch (error) {
    if (error instanceof BackupRefused) say(`${error.message} Nothing was changed.`);
    else if (isBroken(error)) say('This file is not a whole backup of Forgeline. Nothing was changed.');
    else throw error;
    return 1;
  } finally {
    await close();
  }
}

const isBroken = (error: unknown) => /^Z_|^ERR_/.test(String((error as { code?: unknown }).code));

async function* linesOf(file: string): AsyncGenerator<string> {
  const gunzip = createGunzip();
  const source = createReadStream(file);
  source.on('error', (error) => gunzip.destroy(error));
  source.pipe(gunzip);
  let broken: Error | undefined;
  gunzip.on('error', (error) => (broken = error));
  for await (const line of createInterface({ input: gunzip, crlfDelay: Infinity })) yield line;
  if (broken) throw broken;
}
