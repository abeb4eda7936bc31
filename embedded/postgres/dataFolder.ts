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
import { relocateDataFolder, PLACE } from './relocateDataFolder';
import { canEnter, runnerFor, type Runner } from './runner';

export interface DataFolder {
  /** What the operator calls it. */
  dataDir: string;
  /** Where it really is: the same folder, but for root under a path that only root may enter. */
  folder: string;
  cluster: string;
  log: string;
  runner: Runner | undefined;
}

const OURS = /^(cluster|socket|place|lost\+found|postgres\.log.*|binaries-.*|new-.*)$/;

const holdsOnlyOurs = (folder: string) => readdirSync(folder).every((name) => OURS.test(name));

function makeFolder(dataDir: string): string {
  mkdirSync(dirname(dataDir), { recursive: true });
  if (!existsSync(dataDir)) mkdirSync(dataDir, { mode: 0o700, recursive: true });
  return realpathSync(dataDir);
}

function recordedPlace(real: string): string | undefined {
  const record = join(real, PLACE);
  if (!existsSync(record)) return undefined;
  const place = readFileSync(record, 'utf8').trim();
  if (!existsSync(place)) throw new Error(`The database of DATA_DIR (${real}) was in ${place}, which is not there.`);
  return place;
}

function withinReach(runner: Runner, real: string): boolean {
  return canEnter(runner, dirname(real)) && (holdsOnlyOurs(real) || canEnter(runner, real));
}

function choosePlace(real: string, runner: Runner | undefined, say: (sentence: string) => void): string {
  if (!runner || withinReach(runner, real)) return real;
  if (!existsSync(join(real, 'cluster'))) return relocateDataFolder(real, runner, say);
  throw new Error(`DATA_DIR (${real}) lies where the user of its PostgreSQL, ${runner.name}, may not go: move it.`);
}

/** A folder that holds other things keeps its mode: what we put into it is private by itself. */
function makePrivate(folder: string, runner: Runner | undefined): void {
  if (!holdsOnlyOurs(folder)) return;
  if (process.platform !== 'win32' && (statSync(folder).mode & 0o777) !== 0o700) chmodSync(folder, 0o700);
  if (runner && statSync(folder).uid !== runner.uid) lchownSync(folder, runner.uid, runner.gid);
}

function ownCluster(cluster: string, runner: Runner | undefined): void {
  if (!existsSync(cluster) || process.platform === 'win32') return;
  const { uid } = statSync(cluster);
  if (runner) return uid === runner.uid ? undefined : chownTree(cluster, runner);
  if (uid !== process.getuid?.()) throw Object.assign(new Error('Another owner'), { code: 'EPERM' });
}

export function openDataFolder(dataDir: string, say: (sentence: string) => void): DataFolder {
  const wanted = resolve(dataDir);
  try {
    const asked = runnerFor(wanted, say);
    const real = makeFolder(wanted);
    const recorded = recordedPlace(real);
    const runner = recorded ? runnerFor(recorded, say) : asked;
    const folder = recorded ?? choosePlace(real, runner, say);
    const cluster = join(folder, 'cluster');
    makePrivate(folder, runner);
    ownCluster(cluster, runner);
    return { dataDir: wanted, folder, cluster, log: join(folder, 'postgres.log'), runner };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EACCES' && code !== 'EPERM') throw error;
    throw new Error(`DATA_DIR (${wanted}) belongs to another user: start as that user, or name another folder.`, {
      cause: error,
    });
  }
}
