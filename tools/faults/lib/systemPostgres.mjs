import { execFileSync } from 'node:child_process';
import { appendFileSync, chownSync, existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { onCleanUp } from './cleanUp.mjs';
import { loadTestKit } from '../../lib/testKit.mjs';
import { createTempFolder } from './tempFolder.mjs';

const DEBIAN_FOLDER = '/usr/lib/postgresql';
const DATABASE_USER = 'forgeline';
export const hasSystemPostgres = () => findBinFolder() !== undefined;
export const NEEDS_SYSTEM_POSTGRES = 'it needs an installed PostgreSQL (Debian: apt-get install postgresql)';

export function findBinFolder() {
  if (!existsSync(DEBIAN_FOLDER)) return undefined;
  const newest = readdirSync(DEBIAN_FOLDER).sort((a, b) => Number(b) - Number(a))[0];
  const bin = join(DEBIAN_FOLDER, newest ?? '', 'bin');
  return existsSync(join(bin, 'initdb')) ? bin : undefined;
}

/** PostgreSQL refuses to run as root. @returns the ids of the user `postgres` if this process is root, or else `{}` */
export function findPostgresUserIds() {
  if (process.getuid() !== 0) return {};
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith('postgres:'));
  const [, , uid, gid] = line.split(':').map(Number);
  return { uid, gid };
}

const SETTINGS = `
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
max_connections = 200
synchronous_commit = on
fsync = on
`;

/** Starts the PostgreSQL that is installed on this machine, with a new data folder and on a free port. */
export async function startSystemPostgres() {
  const [bin, folder] = [findBinFolder(), createTempFolder()];
  const runAs = findPostgresUserIds();
  if (runAs.uid) chownSync(folder, runAs.uid, runAs.gid);
  const dataFolder = join(folder, 'data');
  const port = await loadTestKit().freePort();
  const options = { ...runAs, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'], env: { PATH: process.env.PATH } };
  const runProgram = (program, ...args) => execFileSync(join(bin, program), args, options);
  const pgCtl = (...args) => runProgram('pg_ctl', '-D', dataFolder, '-w', '-t', '60', ...args);
  const pidFile = join(dataFolder, 'postmaster.pid');
  onCleanUp(() => existsSync(pidFile) && pgCtl('-m', 'immediate', 'stop'));
  runProgram('initdb', '-D', dataFolder, '-U', DATABASE_USER, '-A', 'trust', '-E', 'UTF8', '--no-locale');
  appendFileSync(join(dataFolder, 'postgresql.conf'), SETTINGS);
  pgCtl('-l', join(folder, 'log'), '-o', `-p ${port}`, 'start');
  const urlOf = (database) => `postgres://${DATABASE_USER}@127.0.0.1:${port}/${database}`;
  return {
    port,
    url: urlOf('postgres'),
    restart: (mode) => pgCtl('-l', join(folder, 'log'), '-o', `-p ${port}`, '-m', mode, 'restart'),
    sql: (text, database = 'postgres') =>
      execFileSync(join(bin, 'psql'), ['-XAtqc', text, urlOf(database)], {
        ...options,
        stdio: ['ignore', 'pipe', 'pipe'],
      })
        .toString()
        .trim(),
  };
}
