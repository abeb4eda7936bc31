import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Binaries } from './binaries';
import { LOOPBACK, PASSWORD } from './endpoint';
import { chownTree, putInPlace, removeUnfinished, sweepUnfinished, unfinishedFolder } from './folders';
import type { DataFolder } from './dataFolder';
import { SUPERUSER, plainEnvironment } from './serverOptions';
import { spawnAs } from './runner';

/** The builtin provider needs no locale of the system's: sorting is the same on every machine. */
const INITDB = [
  `--username=${SUPERUSER}`,
  '--encoding=UTF8',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--locale=C',
  '--data-checksums',
  '--auth-host=scram-sha-256',
  '--no-instructions',
];

function run(binaries: Binaries, dataFolder: DataFolder, args: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (why: string) =>
      reject(new Error(`The database could not be prepared (${why}): fix that, or set DATABASE_URL.`));
    const options = {
      cwd: dataFolder.folder,
      env: plainEnvironment(),
      windowsHide: true,
      ...spawnAs(dataFolder.runner),
    };
    const child = spawn(binaries.initdb, args, { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
    let errors = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
    child.once('error', (error) => fail(error.message));
    child.once('close', (code) => {
      if (code === 0) return resolve();
      const lines = errors.trim().split('\n');
      fail(
        (lines.find((line) => /FATAL|error:/.test(line)) ?? lines.at(-1) ?? '').trim() || `initdb ended with ${code}`,
      );
    });
  });
}

function writePassword(folder: string): string[] {
  if (!LOOPBACK) return ['--auth-local=trust'];
  const file = join(folder, PASSWORD);
  writeFileSync(file, randomBytes(24).toString('base64url'), { mode: 0o600 });
  return ['--auth-local=scram-sha-256', `--pwfile=${file}`];
}

async function create(binaries: Binaries, dataFolder: DataFolder): Promise<void> {
  const folder = unfinishedFolder(dataFolder.folder);
  const fresh = join(folder, 'cluster');
  try {
    mkdirSync(fresh, { mode: 0o700 });
    if (dataFolder.runner) chownTree(folder, dataFolder.runner);
    await run(binaries, dataFolder, [...INITDB, ...writePassword(folder), '-D', fresh]);
    if (LOOPBACK) renameSync(join(folder, PASSWORD), join(fresh, PASSWORD));
    putInPlace(fresh, dataFolder.cluster);
  } finally {
    removeUnfinished(folder);
  }
}

function checkVersion(dataFolder: DataFolder, major: string): void {
  const made = readFileSync(join(dataFolder.cluster, 'PG_VERSION'), 'utf8').trim();
  if (made === major) return;
  throw new Error(
    `The database in DATA_DIR (${dataFolder.dataDir}) was made by PostgreSQL ${made} and this release brings ${major}: ` +
      'with the release that made it run "npm run backup -- FILE", then with this one and an empty DATA_DIR "npm run restore -- FILE".',
  );
}

const isMade = ({ cluster }: DataFolder) => existsSync(join(cluster, 'PG_VERSION'));

export async function ensureCluster(
  binaries: Binaries,
  dataFolder: DataFolder,
  say: (sentence: string) => void,
): Promise<void> {
  sweepUnfinished(dataFolder.folder);
  if (!isMade(dataFolder)) {
    if (existsSync(dataFolder.cluster) && readdirSync(dataFolder.cluster).length > 0) {
      throw new Error(
        `${dataFolder.cluster} is not empty and holds no database: restore what is missing, or move it away.`,
      );
    }
    say(`Preparing the database in ${dataFolder.folder} (only this once).`);
    await create(binaries, dataFolder);
  }
  checkVersion(dataFolder, binaries.major);
}

/** Of what is not there nobody wants a backup. */
export function requireCluster(binaries: Binaries, dataFolder: DataFolder): void {
  if (isMade(dataFolder)) return checkVersion(dataFolder, binaries.major);
  throw new Error(
    `There is no database in DATA_DIR (${dataFolder.dataDir}): give the DATA_DIR or DATABASE_URL that the shop runs with.`,
  );
}
