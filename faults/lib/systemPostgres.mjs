import { execFileSync } from 'node:child_process';
import { appendFileSync, chownSync, existsSync, mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { onCleanUp } from './cleanUp.mjs';
import { loadTestKit } from '../../scripts/testKit.mjs';
import { createTempFolder } from './tempFolder.mjs';

const DEBIAN_FOLDER = '/usr/lib/postgresql';
const DATABASE_USER = 'forgeline';
export const hasSystemPostgres = () => findBinFolder() !== undefined;
export const NEEDS_SYSTEM_POSTGRES = 'it needs an installed PostgreSQL (Debian: apt-get install postgresql)';

export function findBinFolder() {
  if (!existsSync(DEBIAN_FOLDER)) return undefined;
  const newest = readdirSync(DEBIAN_FOLDER).sort((a, b) => Number(b) - Number(a))[0];
  const bin = join(DEBIAN_FOLDER, newest ?? '', 'bin');
  return existsSync(join(bin, 'pg_basebackup')) ? bin : undefined;
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
wal_level = replica
max_wal_senders = 4
`;

/** Starts the PostgreSQL that is installed on this machine, with a new data folder and on a free port. */
export async function startSystemPostgres() {
  const bin = findBinFolder();
  const server = await createPostgresControls(bin, createTempFolder());
  server.runProgram('initdb', '-D', server.dataFolder, '-U', DATABASE_USER, '-A', 'trust', '-E', 'UTF8', '--no-locale');
  server.addSettings(SETTINGS);
  server.start();
  return server;
}

async function createPostgresControls(bin, folder) {
  const runAs = findPostgresUserIds();
  if (runAs.uid) chownSync(folder, runAs.uid, runAs.gid);
  const dataFolder = join(folder, 'data');
  const port = await loadTestKit().freePort();
  const options = { ...runAs, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'], env: { PATH: process.env.PATH } };
  const runProgram = (program, ...args) => execFileSync(join(bin, program), args, options);
  const pgCtl = (...args) => runProgram('pg_ctl', '-D', dataFolder, '-w', '-t', '60', ...args);
  const server = {
    dataFolder,
    port,
    runProgram,
    pgCtl,
    url: `postgres://${DATABASE_USER}@127.0.0.1:${port}/postgres`,
    addSettings: (text) => appendFileSync(join(dataFolder, 'postgresql.conf'), `${text}\n`),
    start: () => pgCtl('-l', join(folder, 'log'), '-o', `-p ${port}`, 'start'),
    restart: (mode) => pgCtl('-l', join(folder, 'log'), '-o', `-p ${port}`, '-m', mode, 'restart'),
    stop: (mode = 'fast') => pgCtl('-m', mode, 'stop'),
    /** Checks the process too, because the pid file remains after a kill. */
    isUp: () => existsSync(join(dataFolder, 'postmaster.pid')) && existsSync(`/proc/${server.pid()}`),
    pid: () => Number(readFileSync(join(dataFolder, 'postmaster.pid'), 'utf8').split('\n')[0]),
    sql: (text) =>
      execFileSync(join(bin, 'psql'), ['-XAtqc', text, server.url], { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
        .toString()
        .trim(),
  };
  onCleanUp(() => server.isUp() && server.stop('immediate'));
  return server;
}

/** Starts a synchronous standby. Each commit of the primary waits for it. */
export async function startStandby(primary) {
  const folder = createTempFolder();
  const standby = await createPostgresControls(findBinFolder(), folder);
  mkdirSync(standby.dataFolder, { mode: 0o700 });
  const { uid, gid } = findPostgresUserIds();
  if (uid) chownSync(standby.dataFolder, uid, gid);
  const primaryAddress = ['-h', '127.0.0.1', '-p', String(primary.port), '-U', DATABASE_USER];
  standby.runProgram('pg_basebackup', ...primaryAddress, '-D', standby.dataFolder, '-R', '-X', 'stream', '-c', 'fast');
  standby.start();
  primary.addSettings("synchronous_standby_names = '*'");
  primary.pgCtl('reload');
  return standby;
}
