import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onCleanUp } from './cleanUp.mjs';

/** Creates a folder for one scenario, which the user that runs PostgreSQL can enter. */
export function createTempFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'forgeline-faults-'));
  chmodSync(folder, 0o711);
  onCleanUp(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
