import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import { BackupRefused, readDump } from '../db/backup';
import { startPostgres } from '../../embedded/postgres';
import { connect } from './connect';

const say = (sentence: string) => void process.stderr.write(`${sentence}\n`);

const USAGE = `Usage: npm run restore -- FILE [--move]
       --move  the shop moves here: keep its name and its secrets, and stop the old one`;
const MOVED = 'The shop has its name and its secrets. Do not start the old one again.';
const COPIED =
  'This is a copy with a name and secrets of its own: it does not know the payments that the original began. ' +
  'To move the shop here or to recover it, restore into an empty database with --move instead.';

function parse(argv: string[]): { file: string; move: boolean } | undefined {
  const move = argv.includes('--move');
  const [file, ...rest] = argv.filter((word) => word !== '--move');
  const isWrong = [file, ...rest].some((word) => word?.startsWith('--'));
  return file === undefined || isWrong || rest.length > 0 ? undefined : { file, move };
}

/** Into the embedded database or DATABASE_URL, when it is empty and no server runs on it. */
export async function main(argv: string[], env: Record<string, string | undefined>): Promise<number> {
  const given = parse(argv);
  if (!given) {
    say(USAGE);
    return 2;
  }
  const { file, move } = given;
  const { db, close } = await connect(env, startPostgres);
  try {
    const rows = await readDump(db, linesOf(file), { move });
    process.stdout.write(`${rows} rows are back from ${file}. ${move ? MOVED : COPIED}\n`);
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
