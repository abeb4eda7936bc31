import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The embedded PostgreSQL of a server's folder, by the file in which it says who it is. */
function pidOf(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    const file = join(folder, entry.name, 'postmaster.pid');
    const pid = existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : pidOf(join(folder, entry.name));
    if (pid) return pid;
  }
  return undefined;
}

/** SIGQUIT is what `pg_ctl stop -m immediate` sends. */
export function endPostmaster(folder, signal) {
  const pid = pidOf(folder);
  if (!pid) throw new Error(`There is no PostgreSQL in ${folder}.`);
  process.kill(pid, signal);
}
