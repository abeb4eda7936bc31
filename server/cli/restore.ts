import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { BackupError, readDump, USE_ANOTHER_FILE } from '../db/backup';
import { startPostgres } from '../../embedded/postgres';
import type { Env } from '../settings/readers';
import type { ShopConnection } from './connectToShopDatabase';
import { print, printError, withShop } from './runCommand';

const USAGE = `Usage: npm run restore -- FILE [--move]
       --move  moves the shop: keeps its name and its secrets, and the old shop must never start again`;
const MOVED_NOTE = 'The shop kept its name and its secrets. Do not start the old shop again.';
const COPIED_NOTE =
  'This copy has a new name and new secrets, and it will not record or refund payments that were started in the original shop. ' +
  'To move or recover the shop, restore the file into an empty database with --move instead.';

function parseArguments(argv: string[]): { file: string; move: boolean } | undefined {
  const move = argv.includes('--move');
  const [file, ...rest] = argv.filter((argument) => argument !== '--move');
  const hasUnknownOption = [file, ...rest].some((argument) => argument?.startsWith('--'));
  return file === undefined || hasUnknownOption || rest.length > 0 ? undefined : { file, move };
}

/**
 * Restores into the embedded database or DATABASE_URL, if it is empty. Refuses while a server runs on the embedded one.
 * @returns the exit code
 */
export async function main(argv: string[], env: Env): Promise<number> {
  const parsed = parseArguments(argv);
  if (!parsed) {
    printError(USAGE);
    return 2;
  }
  const { file, move } = parsed;
  const restore = async ({ db }: ShopConnection) => {
    try {
      const rows = await readDump(db, linesOf(file), { move });
      print(`Restored ${rows} rows from ${file}. ${move ? MOVED_NOTE : COPIED_NOTE}`);
      return 0;
    } catch (error) {
      if (error instanceof BackupError) printError(`${error.message} Nothing was changed.`);
      else if (isUnreadableArchive(error))
        printError(`The backup file is damaged or truncated. ${USE_ANOTHER_FILE} Nothing was changed.`);
      else throw error;
      return 1;
    }
  };
  return withShop(restore, env, startPostgres);
}

const isUnreadableArchive = (error: unknown) => /^Z_|^ERR_/.test(String((error as { code?: unknown }).code));

/** Splits at line feeds only. Since Node 24, `readline` also splits at U+2028, which an address may contain. */
async function* linesOf(file: string): AsyncGenerator<string> {
  const gunzip = createGunzip().setEncoding('utf8');
  const source = createReadStream(file);
  source.on('error', (error) => gunzip.destroy(error));
  let rest = '';
  for await (const text of source.pipe(gunzip) as AsyncIterable<string>) {
    const lines = (rest + text).split('\n');
    rest = lines.pop()!;
    yield* lines;
  }
  if (rest) yield rest;
}
