import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Binaries } from './binaries';
import { LOOPBACK, PASSWORD } from './endpoint';
import { chownTree, putInPlace, removeUnfinished, sweepUnfinished, unfinishedFolder } from './folders';
import type { Home } from './home';
import { SUPERUSER, plainEnvironment } from './options';
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

function run(binaries: Binaries, home: Home, args: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (why: string) =>
      reject(new Error(`The database could not be prepared (${why}): mend that, or set DATABASE_URL.`));
    const options = { cwd: home.folder, env: plainEnvironment(), windowsHide: true, ...spawnAs(home.runner) };
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

async function create(binaries: Binaries, home: Home): Promise<void> {
  const folder = unfinishedFolder(home.folder);
  const fresh = join(folder, 'cluster');
  try {
    mkdirSync(fresh, { mode: 0o700 });
    if (home.runner) chownTree(folder, home.runner);
    await run(binaries, home, [...INITDB, ...writePassword(folder), '-D', fresh]);
    if (LOOPBACK) renameSync(join(folder, PASSWORD), join(fresh, PASSWORD));
    putInPlace(fresh, home.cluster);
  } finally {
    removeUnfinished(folder);
  }
}

function checkVersion(home: Home, major: string): void {
  const made = readFileSync(join(home.cluster, 'PG_VERSION'), 'utf8').trim();
  if (made === major) return;
  throw new Error(
    `The database in DATA_DIR (${home.dataDir}) was made by PostgreSQL ${made} and this release brings ${major}: ` +
      'with the release that made it run "npm run backup -- FILE", then with this one and an empty DATA_DIR "npm run restore -- FILE".',
  );
}

const isMade = ({ cluster }: Home) => existsSync(join(cluster, 'PG_VERSION'));

export async function ensureCluster(binaries: Binaries, home: Home, say: (sentence: string) => void): Promise<void> {
  sweepUnfinished(home.folder);
  if (!isMade(home)) {
    if (existsSync(home.cluster) && readdirSync(home.cluster).length > 0) {
      throw new Error(`${home.cluster} is not empty and holds no database: restore what is missing, or move it away.`);
    }
    say(`Preparing the database in ${home.folder} (only this once).`);
    await create(binaries, home);
  }
  checkVersion(home, binaries.major);
}

/** Of what is not there nobody wants a backup. */
export function requireCluster(binaries: Binaries, home: Home): void {
  if (isMade(home)) return checkVersion(home, binaries.major);
  throw new Error(
    `There is no database in DATA_DIR (${home.dataDir}): give the DATA_DIR or DATABASE_URL that the shop runs with.`,
  );
}
