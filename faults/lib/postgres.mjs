import { execFileSync } from 'node:child_process';
import { appendFileSync, chownSync, existsSync, mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { atEnd } from './ending.mjs';
import { testKit } from '../../scripts/testKit.mjs';
import { ownFolder } from './place.mjs';

const DEBIAN = '/usr/lib/postgresql';
const USER = 'forgeline';
export const hasPostgres = () => binaries() !== undefined;
export const NO_POSTGRES = 'needs a PostgreSQL of the system (Debian: apt-get install postgresql)';

function binaries() {
  if (!existsSync(DEBIAN)) return undefined;
  const newest = readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a))[0];
  const bin = join(DEBIAN, newest ?? '', 'bin');
  return existsSync(join(bin, 'pg_basebackup')) ? bin : undefined;
}

/** PostgreSQL does not run as root. */
function runner() {
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

/** A PostgreSQL of the harness's own, on a port of its own. */
export async function ownPostgres() {
  const bin = binaries();
  const server = await clusterIn(bin, ownFolder());
  server.run('initdb', '-D', server.data, '-U', USER, '-A', 'trust', '-E', 'UTF8', '--no-locale');
  server.set(SETTINGS);
  server.start();
  return server;
}

async function clusterIn(bin, folder) {
  const owner = runner();
  if (owner.uid) chownSync(folder, owner.uid, owner.gid);
  const data = join(folder, 'data');
  const port = await testKit().freePort();
  const options = { ...owner, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'], env: { PATH: process.env.PATH } };
  const run = (program, ...args) => execFileSync(join(bin, program), args, options);
  const control = (...args) => run('pg_ctl', '-D', data, '-w', '-t', '60', ...args);
  const server = {
    data,
    port,
    run,
    control,
    url: `postgres://${USER}@127.0.0.1:${port}/postgres`,
    set: (text) => appendFileSync(join(data, 'postgresql.conf'), `${text}\n`),
    start: () => control('-l', join(folder, 'log'), '-o', `-p ${port}`, 'start'),
    restart: (mode) => control('-l', join(folder, 'log'), '-o', `-p ${port}`, '-m', mode, 'restart'),
    stop: (mode = 'fast') => control('-m', mode, 'stop'),
    /** Not so when it was killed, though its file is still there. */
    isUp: () => existsSync(join(data, 'postmaster.pid')) && existsSync(`/proc/${server.pid()}`),
    pid: () => Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]),
    sql: (text) =>
      execFileSync(join(bin, 'psql'), ['-XAtqc', text, server.url], { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
        .toString()
        .trim(),
  };
  atEnd(() => server.isUp() && server.stop('immediate'));
  return server;
}

/** A standby that each commit of the primary waits for. */
export async function standbyOf(primary) {
  const folder = ownFolder();
  const standby = await clusterIn(binaries(), folder);
  mkdirSync(standby.data, { mode: 0o700 });
  const { uid, gid } = runner();
  if (uid) chownSync(standby.data, uid, gid);
  const from = ['-h', '127.0.0.1', '-p', String(primary.port), '-U', USER];
  standby.run('pg_basebackup', ...from, '-D', standby.data, '-R', '-X', 'stream', '-c', 'fast');
  standby.start();
  primary.set("synchronous_standby_names = '*'");
  primary.control('reload');
  return standby;
}
