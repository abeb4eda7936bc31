import { existsSync, linkSync, lchownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { canEnter, type Runner } from './runner';

export const PLACE = 'place';

const LASTING = ['/var/lib', '/var/db', '/usr/local/var', '/var/tmp'];

function makeReachable(runner: Runner): string {
  const parent = LASTING.find((folder) => existsSync(folder) && canEnter(runner, folder));
  if (!parent) throw new Error(`There is no folder that ${runner.name} may enter: name one as DATA_DIR.`);
  const made = mkdtempSync(join(parent, 'forgeline-'));
  lchownSync(made, runner.uid, runner.gid);
  return made;
}

/** One name for good: of two starts at the same instant the second takes the place that the first recorded. */
function record(dataDir: string, place: string): boolean {
  const draft = join(dataDir, `new-${process.pid}-place`);
  writeFileSync(draft, `${place}\n`, { mode: 0o600, flush: true });
  try {
    linkSync(draft, join(dataDir, PLACE));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** For root, whose clone lies where only root may go: data in a folder of its own, remembered in DATA_DIR. */
export function relocateDataFolder(dataDir: string, runner: Runner, say: (sentence: string) => void): string {
  const made = makeReachable(runner);
  if (!record(dataDir, made)) {
    rmSync(made, { recursive: true });
    return readFileSync(join(dataDir, PLACE), 'utf8').trim();
  }
  say(`Only root may enter ${dataDir}, so the database lives in ${made} (${join(dataDir, PLACE)} remembers it).`);
  return made;
}
