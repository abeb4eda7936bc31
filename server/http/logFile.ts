import { createWriteStream, existsSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The size limit of one log file. One previous file is kept, so the log takes at most twice this space. */
const MAX_LOG_FILE_BYTES = 8 * 1024 * 1024;

/** @returns the paths of the two log files, the older one first */
export const logFilesIn = (dataDir: string): string[] =>
  ['server.jsonl.1', 'server.jsonl'].map((name) => join(dataDir, 'log', name));

function openToAppend(path: string) {
  const file = createWriteStream(path, { flags: 'a', mode: 0o600 });
  file.on('error', () => undefined);
  return file;
}

function ignoreErrors(work: () => void): void {
  try {
    work();
  } catch {
    // The log is still on standard output.
  }
}

/** Copies the log into a file for `npm run explain`. If the disk is full, lines are lost but the shop continues. */
export function openLogFile(dataDir: string, maxBytes = MAX_LOG_FILE_BYTES) {
  const [older, path] = logFilesIn(dataDir) as [string, string];
  ignoreErrors(() => mkdirSync(join(dataDir, 'log'), { recursive: true, mode: 0o700 }));
  let size = existsSync(path) ? statSync(path).size : 0;
  let file = openToAppend(path);
  return {
    write(line: string) {
      file.write(line);
      size += line.length;
      if (size < maxBytes) return;
      size = 0;
      file.end();
      ignoreErrors(() => renameSync(path, older));
      file = openToAppend(path);
    },
  };
}
