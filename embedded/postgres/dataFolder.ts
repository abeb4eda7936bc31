import {
  chmodSync,
  existsSync,
  lchownSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { chownTree } from './folders';
import { relocateDataFolder, LOCATION_FILE } from './relocateDataFolder';
import { canEnter, findOsUser, type OsUser } from './osUser';

export interface DataFolder {
  /** DATA_DIR as an absolute path. */
  dataDir: string;
  /**
   * The folder with the database's files. It is not `dataDir` if the server runs as root and PostgreSQL's user cannot
   * enter `dataDir`.
   */
  folder: string;
  cluster: string;
  logFile: string;
  osUser: OsUser | undefined;
}

const KNOWN_ENTRIES = /^(cluster|socket|place|lost\+found|postgres\.log.*|binaries-.*|new-.*)$/;

const hasOnlyKnownEntries = (folder: string) => readdirSync(folder).every((name) => KNOWN_ENTRIES.test(name));

function ensureDataDir(dataDir: string): string {
  mkdirSync(dirname(dataDir), { recursive: true });
  if (!existsSync(dataDir)) mkdirSync(dataDir, { mode: 0o700, recursive: true });
  return realpathSync(dataDir);
}

function readRecordedLocation(realDataDir: string): string | undefined {
  const file = join(realDataDir, LOCATION_FILE);
  if (!existsSync(file)) return undefined;
  const location = readFileSync(file, 'utf8').trim();
  if (existsSync(location)) return location;
  throw new Error(
    `The database of DATA_DIR (${realDataDir}) should be in ${location}, which does not exist: restore that folder.`,
  );
}

function canReach(osUser: OsUser, realDataDir: string): boolean {
  return canEnter(osUser, dirname(realDataDir)) && (hasOnlyKnownEntries(realDataDir) || canEnter(osUser, realDataDir));
}

function chooseLocation(realDataDir: string, osUser: OsUser | undefined, log: (message: string) => void): string {
  if (!osUser || canReach(osUser, realDataDir)) return realDataDir;
  if (!existsSync(join(realDataDir, 'cluster'))) return relocateDataFolder(realDataDir, osUser, log);
  throw new Error(
    `The PostgreSQL user ${osUser.name} cannot enter DATA_DIR (${realDataDir}): ` +
      'move the folder to a place that this user can enter, and set DATA_DIR to its new path.',
  );
}

/** Makes the folder private, unless other programs keep files in it. The files that we create are always private. */
function makePrivate(folder: string, osUser: OsUser | undefined): void {
  if (!hasOnlyKnownEntries(folder)) return;
  if (process.platform !== 'win32' && (statSync(folder).mode & 0o777) !== 0o700) chmodSync(folder, 0o700);
  if (osUser && statSync(folder).uid !== osUser.uid) lchownSync(folder, osUser.uid, osUser.gid);
}

function ensureClusterOwner(cluster: string, osUser: OsUser | undefined): void {
  if (!existsSync(cluster) || process.platform === 'win32') return;
  const { uid } = statSync(cluster);
  if (osUser) return uid === osUser.uid ? undefined : chownTree(cluster, osUser);
  if (uid !== process.getuid?.())
    throw Object.assign(new Error('The database belongs to another system user.'), { code: 'EPERM' });
}

export function openDataFolder(dataDir: string, log: (message: string) => void): DataFolder {
  const absoluteDataDir = resolve(dataDir);
  try {
    const requestedUser = findOsUser(absoluteDataDir);
    const realDataDir = ensureDataDir(absoluteDataDir);
    const recordedFolder = readRecordedLocation(realDataDir);
    const osUser = recordedFolder ? findOsUser(recordedFolder) : requestedUser;
    const folder = recordedFolder ?? chooseLocation(realDataDir, osUser, log);
    const cluster = join(folder, 'cluster');
    makePrivate(folder, osUser);
    ensureClusterOwner(cluster, osUser);
    return { dataDir: absoluteDataDir, folder, cluster, logFile: join(folder, 'postgres.log'), osUser };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EACCES' && code !== 'EPERM') throw error;
    throw new Error(
      `DATA_DIR (${absoluteDataDir}) belongs to another user: start as that user, or set another DATA_DIR.`,
      { cause: error },
    );
  }
}
