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
import { alive } from './processes';
import type { Runner } from './runner';

const UNFINISHED = /^new-(\d+)-/;
const underWay = new Set<string>();

export function chownTree(path: string, owner: Runner): void {
  lchownSync(path, owner.uid, owner.gid);
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const child = join(path, entry.name);
    if (entry.isDirectory()) chownTree(child, owner);
    else lchownSync(child, owner.uid, owner.gid);
  }
}

export function unfinishedFolder(parent: string): string {
  const folder = mkdtempSync(join(parent, `new-${process.pid}-`));
  underWay.add(folder);
  return folder;
}

export function removeUnfinished(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  underWay.delete(folder);
}

/** The initdb of a killed start may still be writing into it: then a later start removes it. */
function tryToRemove(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error;
  }
}

/** What a start that was killed half-way left behind; a start that is still at work keeps its own. */
export function sweepUnfinished(parent: string): void {
  for (const name of readdirSync(parent)) {
    const maker = Number(UNFINISHED.exec(name)?.[1]);
    const folder = join(parent, name);
    const abandoned = maker === process.pid ? !underWay.has(folder) : maker > 0 && !alive(maker);
    if (abandoned) tryToRemove(folder);
  }
}

function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  fsyncSync(handle);
  closeSync(handle);
}

/** Moves a finished folder to its name; when another start was faster, its folder stands. */
export function putInPlace(folder: string, target: string): void {
  try {
    renameSync(folder, target);
  } catch (error) {
    if (!existsSync(target)) throw error;
  }
  syncFolder(dirname(target));
}

export function makeBeside(target: string, fill: (folder: string) => void): void {
  const folder = unfinishedFolder(dirname(target));
  try {
    fill(folder);
    putInPlace(folder, target);
  } finally {
    removeUnfinished(folder);
  }
}
