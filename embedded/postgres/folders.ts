import {
  closeSync,
  existsSync,
  fsyncSync,
  lchownSync,
  mkdtempSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { isAlive } from './processes';
import type { OsUser } from './osUser';

const UNFINISHED_NAME = /^new-(\d+)-/;
const unfinishedFolders = new Set<string>();

export function chownTree(path: string, owner: OsUser): void {
  lchownSync(path, owner.uid, owner.gid);
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const child = join(path, entry.name);
    if (entry.isDirectory()) chownTree(child, owner);
    else lchownSync(child, owner.uid, owner.gid);
  }
}

export function createUnfinishedFolder(parent: string): string {
  const folder = mkdtempSync(join(parent, `new-${process.pid}-`));
  unfinishedFolders.add(folder);
  return folder;
}

export function removeUnfinished(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  unfinishedFolders.delete(folder);
}

/**
 * Keeps the folder if a file appears in it during the removal. An `initdb` can outlive its server and still be writing.
 * A later start removes the folder.
 */
function tryToRemove(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error;
  }
}

/** Removes unfinished folders of servers that were killed during their start. Folders of running starts are kept. */
export function removeAbandonedFolders(parent: string): void {
  for (const name of readdirSync(parent)) {
    const creatorPid = Number(UNFINISHED_NAME.exec(name)?.[1]);
    const folder = join(parent, name);
    const isAbandoned =
      creatorPid === process.pid ? !unfinishedFolders.has(folder) : creatorPid > 0 && !isAlive(creatorPid);
    if (isAbandoned) tryToRemove(folder);
  }
}

function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  fsyncSync(handle);
  closeSync(handle);
}

/** Renames a finished folder to its final name. If another server has already done so, that server's folder is kept. */
export function moveIntoPlace(folder: string, target: string): void {
  try {
    renameSync(folder, target);
  } catch (error) {
    if (!existsSync(target)) throw error;
  }
  syncFolder(dirname(target));
}

export function createAtomically(target: string, fill: (folder: string) => void): void {
  const folder = createUnfinishedFolder(dirname(target));
  try {
    fill(folder);
    moveIntoPlace(folder, target);
  } finally {
    removeUnfinished(folder);
  }
}
