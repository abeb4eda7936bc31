import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import { checkServer } from '../db/checkServer';
import { BackupRefused, readDump } from '../db/dump';
import { startEmbedded } from '../db/embedded';
import { migrateDatabase, openPool } from '../db/open';
import { readSettings } from '../settings';

const say = (sentence: string) => void process.stderr.write(`${sentence}\n`);

/** Into the embedded database or DATABASE_URL, when it is empty and no server runs on it. */
export async function main([file]: string[], env: Record<string, string | undefined>): Promise<number> {
  if (!file) {
    say('Usage: npm run restore -- FILE');
    return 2;
  }
  const settings = readSettings(env);
  const embedded = settings.databaseUrl ? undefined : await startEmbedded(settings.dataDir, say);
  if (settings.databaseUrl) await checkServer(settings.databaseUrl);
  const connection = embedded?.connection ?? { connectionString: settings.databaseUrl };
  const db = openPool({ ...connection, query_timeout: 0 }, (error) => say(error.message), 1);
  try {
    await migrateDatabase(db);
    const rows = await readDump(db, linesOf(file));
    process.stdout.write(`${rows} rows are back from ${file}.\n`);
    return 0;
  } catch (error) {
    if (error instanceof BackupRefused) say(`${error.message} Nothing was changed.`);
    else if (isBroken(error)) say('This file is not a whole backup of Forgeline. Nothing was changed.');
    else throw error;
    return 1;
  } finally {
    await db.$client.end();
    await embedded?.stop();
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
