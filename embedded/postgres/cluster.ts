import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Binaries } from './binaries';
import { USES_LOOPBACK, PASSWORD_FILE } from './postgresAddress';
import { chownTree, moveIntoPlace, removeUnfinished, removeAbandonedFolders, createUnfinishedFolder } from './folders';
import type { DataFolder } from './dataFolder';
import { SUPERUSER, minimalEnvironment } from './serverOptions';
import { spawnAs } from './osUser';

/** The `builtin` locale provider sorts the same way on every machine, because it does not use the system's locales. */
const INITDB_OPTIONS = [
  `--username=${SUPERUSER}`,
  '--encoding=UTF8',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--locale=C',
  '--data-checksums',
  '--auth-host=scram-sha-256',
  '--no-instructions',
];

function runInitdb(binaries: Binaries, dataFolder: DataFolder, args: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (reason: string) =>
      reject(new Error(`The database could not be created (${reason}): fix that, or set DATABASE_URL.`));
    const options = {
      cwd: dataFolder.folder,
      env: minimalEnvironment(),
      windowsHide: true,
      ...spawnAs(dataFolder.osUser),
    };
    const child = spawn(binaries.initdb, args, { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
    let errors = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
    child.once('error', (error) => fail(error.message));
    child.once('close', (code) => {
      if (code === 0) return resolve();
      const lines = errors.trim().split('\n');
      fail(
        (lines.find((line) => /FATAL|error:/.test(line)) ?? lines.at(-1) ?? '').trim() ||
          `initdb exited with code ${code}`,
      );
    });
  });
}

/** @returns options of `initdb` */
function prepareLocalAuth(folder: string): string[] {
  if (!USES_LOOPBACK) return ['--auth-local=trust'];
  const file = join(folder, PASSWORD_FILE);
  writeFileSync(file, randomBytes(24).toString('base64url'), { mode: 0o600 });
  return ['--auth-local=scram-sha-256', `--pwfile=${file}`];
}

async function createCluster(binaries: Binaries, dataFolder: DataFolder): Promise<void> {
  const folder = createUnfinishedFolder(dataFolder.folder);
  const newCluster = join(folder, 'cluster');
  try {
    mkdirSync(newCluster, { mode: 0o700 });
    if (dataFolder.osUser) chownTree(folder, dataFolder.osUser);
    await runInitdb(binaries, dataFolder, [...INITDB_OPTIONS, ...prepareLocalAuth(folder), '-D', newCluster]);
    if (USES_LOOPBACK) renameSync(join(folder, PASSWORD_FILE), join(newCluster, PASSWORD_FILE));
    moveIntoPlace(newCluster, dataFolder.cluster);
  } finally {
    removeUnfinished(folder);
  }
}

function checkVersion(dataFolder: DataFolder, major: string): void {
  const clusterMajor = readFileSync(join(dataFolder.cluster, 'PG_VERSION'), 'utf8').trim();
  if (clusterMajor === major) return;
  throw new Error(
    `The database in DATA_DIR (${dataFolder.dataDir}) was created by PostgreSQL ${clusterMajor}, ` +
      `but this release contains PostgreSQL ${major}: run "npm run backup -- FILE" with the release that created it, ` +
      'then "npm run restore -- FILE" with this release and an empty DATA_DIR.',
  );
}

const hasCluster = ({ cluster }: DataFolder) => existsSync(join(cluster, 'PG_VERSION'));

export async function ensureCluster(
  binaries: Binaries,
  dataFolder: DataFolder,
  log: (message: string) => void,
): Promise<void> {
  removeAbandonedFolders(dataFolder.folder);
  if (!hasCluster(dataFolder)) {
    if (existsSync(dataFolder.cluster) && readdirSync(dataFolder.cluster).length > 0) {
      throw new Error(
        `${dataFolder.cluster} is not empty, but it contains no database: ` +
          'restore the missing files, or move the folder away.',
      );
    }
    log(`creating the database in ${dataFolder.folder} (first start only)`);
    await createCluster(binaries, dataFolder);
  }
  checkVersion(dataFolder, binaries.major);
}

/** For commands such as `npm run backup`, which must not create an empty database. */
export function requireCluster(binaries: Binaries, dataFolder: DataFolder): void {
  if (hasCluster(dataFolder)) return checkVersion(dataFolder, binaries.major);
  throw new Error(
    `There is no database in DATA_DIR (${dataFolder.dataDir}): ` +
      'set the DATA_DIR or DATABASE_URL that the shop runs with.',
  );
}
