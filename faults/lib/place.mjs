import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atEnd } from './ending.mjs';

/** A folder of the part's own, which the user that runs PostgreSQL may enter. */
export function ownFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'forgeline-faults-'));
  chmodSync(folder, 0o711);
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
