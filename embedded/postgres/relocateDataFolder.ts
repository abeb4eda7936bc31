import { existsSync, linkSync, lchownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { canEnter, type OsUser } from './osUser';

export const LOCATION_FILE = 'place';

const PERSISTENT_PARENTS = ['/var/lib', '/var/db', '/usr/local/var', '/var/tmp'];

function createReachableFolder(osUser: OsUser): string {
  const parent = PERSISTENT_PARENTS.find((folder) => existsSync(folder) && canEnter(osUser, folder));
  if (!parent)
    throw new Error(
      `The user ${osUser.name} cannot enter any of the usual data folders: set DATA_DIR to a folder that it can enter.`,
    );
  const newFolder = mkdtempSync(join(parent, 'forgeline-'));
  lchownSync(newFolder, osUser.uid, osUser.gid);
  return newFolder;
}

/**
 * Creates the file as a hard link, which fails if the file exists. If two servers start at the same time, both
 * therefore use the location that the first one recorded.
 * @returns false if another server has recorded its location first
 */
function recordLocation(dataDir: string, location: string): boolean {
  const temporaryFile = join(dataDir, `new-${process.pid}-place`);
  writeFileSync(temporaryFile, `${location}\n`, { mode: 0o600, flush: true });
  try {
    linkSync(temporaryFile, join(dataDir, LOCATION_FILE));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(temporaryFile, { force: true });
  }
}

/**
 * If the server runs as root, PostgreSQL runs as another user. If only root can enter DATA_DIR, the data are stored in
 * another folder, and a file in DATA_DIR names that folder.
 */
export function relocateDataFolder(dataDir: string, osUser: OsUser, log: (message: string) => void): string {
  const newFolder = createReachableFolder(osUser);
  if (!recordLocation(dataDir, newFolder)) {
    rmSync(newFolder, { recursive: true });
    return readFileSync(join(dataDir, LOCATION_FILE), 'utf8').trim();
  }
  log(
    `only root can enter ${dataDir}, so the database is in ${newFolder} (recorded in ${join(dataDir, LOCATION_FILE)})`,
  );
  return newFolder;
}
