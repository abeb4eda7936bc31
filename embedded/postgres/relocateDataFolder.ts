import { existsSync, linkSync, lchownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { canEnter, type Runner } from './runner';

export const LOCATION_FILE = 'place';

const PERSISTENT_PARENTS = ['/var/lib', '/var/db', '/usr/local/var', '/var/tmp'];

function createReachableFolder(runner: Runner): string {
  const parent = PERSISTENT_PARENTS.find((folder) => existsSync(folder) && canEnter(runner, folder));
  if (!parent)
    throw new Error(
      `The user ${runner.name} cannot enter any of the usual data folders: set DATA_DIR to a folder that it can enter.`,
    );
  const created = mkdtempSync(join(parent, 'forgeline-'));
  lchownSync(created, runner.uid, runner.gid);
  return created;
}

/** Links atomically, so that of two simultaneous starts, the second uses the location of the first. */
function recordLocation(dataDir: string, location: string): boolean {
  const draft = join(dataDir, `new-${process.pid}-place`);
  writeFileSync(draft, `${location}\n`, { mode: 0o600, flush: true });
  try {
    linkSync(draft, join(dataDir, LOCATION_FILE));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** For root, if only root can enter DATA_DIR: stores the data in another folder and records that folder in DATA_DIR. */
export function relocateDataFolder(dataDir: string, runner: Runner, log: (message: string) => void): string {
  const created = createReachableFolder(runner);
  if (!recordLocation(dataDir, created)) {
    rmSync(created, { recursive: true });
    return readFileSync(join(dataDir, LOCATION_FILE), 'utf8').trim();
  }
  log(`only root can enter ${dataDir}, so the database is in ${created} (recorded in ${join(dataDir, LOCATION_FILE)})`);
  return created;
}
