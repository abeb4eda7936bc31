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
import { canEnter, runnerFor, type Runner } from './runner';

export interface DataFolder {
  /** The setting DATA_DIR as an absolute path. */
  dataDir: string;
  /** The folder with the files. It differs from `dataDir` if root runs the server and only root can enter `dataDir`. */
  folder: string;
  cluster: string;
  logFile: string;
  runner: Runner | undefined;
}

const KNOWN_ENTRIES = /^(cluster|socket|place|lost\+found|postgres\.log.*|binaries-.*|new-.*)$/;

const hasOnlyKnownEntries = (folder: string) => readdirSync(folder).every((name) => KNOWN_ENTRIES.test(name));

function makeFolder(dataDir: string): string {
  mkdirSync(dirname(dataDir), { recursive: true });
  if (!existsSync(dataDir)) mkdirSync(dataDir, { mode: 0o700, recursive: true });
  return realpathSync(dataDir);
}

function recordedLocation(real: string): string | undefined {
  const file = join(real, LOCATION_FILE);
  if (!existsSync(file)) return undefined;
  const location = readFileSync(file, 'utf8').trim();
  if (existsSync(location)) return location;
  throw new Error(
    `The database of DATA_DIR (${real}) should be in ${location}, which does not exist: restore that folder.`,
  );
}

function canReach(runner: Runner, real: string): boolean {
  return canEnter(runner, dirname(real)) && (hasOnlyKnownEntries(real) || canEnter(runner, real));
}

function chooseLocation(real: string, runner: Runner | undefined, log: (message: string) => void): string {
  if (!runner || canReach(runner, real)) return real;
  if (!existsSync(join(real, 'cluster'))) return relocateDataFolder(real, runner, log);
  throw new Error(`DATA_DIR (${real}) is in a folder that the PostgreSQL user ${runner.name} cannot enter: move it.`);
}

/**
 * Makes the folder private, unless it has files of other programs. The files that we create are private in any case.
 */
function makePrivate(folder: string, runner: Runner | undefined): void {
  if (!hasOnlyKnownEntries(folder)) return;
  if (process.platform !== 'win32' && (statSync(folder).mode & 0o777) !== 0o700) chmodSync(folder, 0o700);
  if (runner && statSync(folder).uid !== runner.uid) lchownSync(folder, runner.uid, runner.gid);
}

function ensureClusterOwner(cluster: string, runner: Runner | undefined): void {
  if (!existsSync(cluster) || process.platform === 'win32') return;
  const { uid } = statSync(cluster);
  if (runner) return uid === runner.uid ? undefined : chownTree(cluster, runner);
  if (uid !== process.getuid?.()) throw Object.assign(new Error('The cluster has another owner.'), { code: 'EPERM' });
}

export function openDataFolder(dataDir: string, log: (message: string) => void): DataFolder {
  const wanted = resolve(dataDir);
  try {
    const requestedRunner = runnerFor(wanted, log);
    const real = makeFolder(wanted);
    const recorded = recordedLocation(real);
    const runner = recorded ? runnerFor(recorded, log) : requestedRunner;
    const folder = recorded ?? chooseLocation(real, runner, log);
    const cluster = join(folder, 'cluster');
    makePrivate(folder, runner);
    ensureClusterOwner(cluster, runner);
    return { dataDir: wanted, folder, cluster, logFile: join(folder, 'postgres.log'), runner };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EACCES' && code !== 'EPERM') throw error;
    throw new Error(`DATA_DIR (${wanted}) belongs to another user: start as that user, or set another DATA_DIR.`, {
      cause: error,
    });
  }
}
