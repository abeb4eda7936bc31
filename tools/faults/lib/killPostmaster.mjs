import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

function findPostmasterPid(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    const file = join(folder, entry.name, 'postmaster.pid');
    const pid = existsSync(file)
      ? Number(readFileSync(file, 'utf8').split('\n')[0])
      : findPostmasterPid(join(folder, entry.name));
    if (pid) return pid;
  }
  return undefined;
}

/** Ends the PostgreSQL below this folder. SIGQUIT does so like `pg_ctl stop -m immediate`. */
export function killPostmaster(folder, signal) {
  const pid = findPostmasterPid(folder);
  if (!pid) throw new Error(`There is no PostgreSQL in ${folder}.`);
  process.kill(pid, signal);
}
