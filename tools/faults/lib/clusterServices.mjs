import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../scripts/install.mjs';
import { onCleanUp } from './cleanUp.mjs';
import { findBinFolder, findPostgresUserIds } from './systemPostgres.mjs';
import { ENVIRONMENT, mountSmallDisk, THIS_MACHINE } from './machines.mjs';

const LOG_LINES = 20;

/** Starts a program, and stops it at the end of the scenario. */
function startProgram(name, args, folder, env = ENVIRONMENT) {
  const logFile = join(folder, `${name}.log`);
  let child;
  const program = {
    name,
    start() {
      const log = openSync(logFile, 'a');
      child = spawn(args[0], args.slice(1), { cwd: folder, env, stdio: ['ignore', log, log] });
      child.once('error', () => undefined);
    },
    /** @returns the last lines that the program printed */
    readLog: () => readFileSync(logFile, 'utf8').split('\n').slice(-LOG_LINES).join('\n'),
    isRunning: () => child !== undefined && child.exitCode === null && child.signalCode === null,
    signal: (signal) => program.isRunning() && child.kill(signal),
    async stop(signal = 'SIGTERM') {
      if (!program.isRunning()) return;
      const exited = once(child, 'exit');
      child.kill('SIGCONT');
      child.kill(signal);
      await exited;
    },
  };
  onCleanUp(() => program.stop('SIGKILL'));
  program.start();
  return program;
}

/** Reads a file of `deploy/cluster` and replaces its words in capitals and its addresses. */
function readTemplate(name, replacements) {
  let text = readFileSync(join(root, 'deploy/cluster', name), 'utf8');
  for (const [word, value] of Object.entries(replacements)) {
    if (!text.includes(word)) throw new Error(`deploy/cluster/${name} does not contain ${word}.`);
    text = text.replaceAll(word, value);
  }
  return text;
}

const SUPERUSER_PASSWORD = 'superuser';
const SHOP_PASSWORD = 'shop';

/** @returns a program and its arguments that run `psql` on the machine, as the superuser */
const psql = ({ inMachine }, host, port, args) =>
  inMachine([join(findBinFolder(), 'psql'), '-h', host, '-p', String(port), '-U', 'postgres', ...args]);
const PSQL_ENVIRONMENT = { ...ENVIRONMENT, PGPASSWORD: SUPERUSER_PASSWORD, POSTGRES_PASSWORD: SHOP_PASSWORD };

/** Creates the role and the database of the shop as the deployment does. */
export function createDatabase(machine) {
  const file = join(root, 'deploy/database.sql');
  const args = ['-v', 'ON_ERROR_STOP=1', '-v', 'for_patroni=1', '-f', file];
  const [program, ...rest] = psql(machine, '127.0.0.1', machine.ports.primary, args);
  execFileSync(program, rest, { env: PSQL_ENVIRONMENT, stdio: ['ignore', 'ignore', 'pipe'] });
}

const WRITE = 'create table if not exists probe (n int); insert into probe values (1)';
const WRITE_TIMEOUT_MS = 5_000;

/** @returns whether this node itself acknowledges a write within the time-out */
function acknowledgesWrite(machine) {
  const [program, ...args] = psql(machine, machine.address, machine.ports.postgres, ['-c', WRITE]);
  const options = { env: PSQL_ENVIRONMENT, timeout: WRITE_TIMEOUT_MS };
  return new Promise((resolve) => execFile(program, args, options, (error) => resolve(!error)));
}

const patroniSettings = (node, { api, machines, network }, dataFolder) =>
  readTemplate('patroni.yml', {
    'etcd3:': `${api}:`,
    'NODE_ADDRESS:8008': `${node.address}:${node.ports.patroni}`,
    'NODE_ADDRESS:5432': `${node.address}:${node.ports.postgres}`,
    NODE_NAME: node.name,
    ...Object.fromEntries(machines.map(({ address, ports }, n) => [`NODE_${n}:2379`, `${address}:${ports.etcd}`])),
    DATA_FOLDER: dataFolder,
    POSTGRESQL_BIN: findBinFolder(),
    SUPERUSER_PASSWORD,
    REPLICATOR_PASSWORD: 'replicator',
    REWINDER_PASSWORD: 'rewinder',
    NETWORK: network,
  });

const balancerSettings = ({ ports }, machines) =>
  readTemplate('haproxy.cfg', {
    '127.0.0.1:5000': `127.0.0.1:${ports.primary}`,
    ...Object.fromEntries(
      machines.map(({ address, ports }, n) => [
        `NODE_${n}:5432 check port 8008`,
        `${address}:${ports.postgres} check port ${ports.patroni}`,
      ]),
    ),
  });

const etcdSettings = ({ address, ports }, name, machines) => {
  const text = readTemplate('etcd.env', {
    NODE_NAME: name,
    'NODE_ADDRESS:2379': `${address}:${ports.etcd}`,
    'NODE_ADDRESS:2380': `${address}:${ports.peer}`,
    ...Object.fromEntries(machines.map((machine, n) => [`NODE_${n}:2380`, `${machine.address}:${machine.ports.peer}`])),
  });
  const lines = text.split('\n').filter((line) => /^ETCD_/.test(line));
  return Object.fromEntries(lines.map((line) => line.split(/=(.*)/s).slice(0, 2)));
};

export function startEtcd(n, folder, { machines, api }) {
  const name = `node${n}`;
  const dataFolder = join(folder, `etcd${n}`);
  const settings = { ...etcdSettings(machines[n], name, machines), ...(api === 'etcd' && { ETCD_ENABLE_V2: 'true' }) };
  const env = { ...ENVIRONMENT, ...settings, ETCD_DATA_DIR: dataFolder };
  return startProgram(`etcd${n}`, machines[n].inMachine(['etcd']), folder, env);
}

/** Lets customers reach the server of a machine, because the demo listens only on the machine's own loopback address. */
const customerSettings = ({ address, ports }) =>
  address === THIS_MACHINE.address
    ? ''
    : `listen customers\n  bind ${address}:${ports.shop}\n  server shop 127.0.0.1:${ports.shop}\n`;

export function startHaproxy(n, folder, { machines }) {
  const settingsFile = join(folder, `haproxy${n}.cfg`);
  writeFileSync(settingsFile, balancerSettings(machines[n], machines) + customerSettings(machines[n]));
  return startProgram(`haproxy${n}`, machines[n].inMachine(['haproxy', '-db', '-f', settingsFile]), folder);
}

/** @returns the arguments that run a program as the user `postgres`, if this process is root */
function asPostgresUser(args) {
  const { uid, gid } = findPostgresUserIds();
  return uid ? ['setpriv', '--reuid', String(uid), '--regid', String(gid), '--clear-groups', ...args] : args;
}

/** Writes until nothing more fits on the disk. @returns a function that deletes what was written */
function fillDisk(folder) {
  const file = join(folder, 'fill');
  spawnSync('dd', ['if=/dev/zero', `of=${file}`, 'bs=1M']);
  return () => rmSync(file);
}

/** @returns the ids of a process and of its children */
function listProcesses(parent) {
  const { stdout } = spawnSync('pgrep', ['-P', String(parent)], { encoding: 'utf8' });
  return [parent, ...stdout.split('\n').filter(Boolean).map(Number)];
}

const SYNC_DELAY_US = 300_000;
const SYNC_CALLS = 'fsync,fdatasync';
export const canSlowDown = () =>
  spawnSync('strace', ['-V'], { env: ENVIRONMENT }).status === 0 && process.getuid() === 0;

/** Delays each time that these processes and their children write to the disk. @returns a function that ends it */
function slowDownDisk(pids) {
  const delay = `inject=${SYNC_CALLS}:delay_enter=${SYNC_DELAY_US}`;
  const args = ['-f', '-qq', '-o', '/dev/null', '-e', `trace=${SYNC_CALLS}`, '-e', delay];
  const child = spawn('strace', [...args, ...pids.flatMap((pid) => ['-p', String(pid)])], { stdio: 'ignore' });
  const ended = once(child, 'exit');
  onCleanUp(() => child.kill());
  return async () => {
    child.kill();
    await ended;
  };
}

export function startNode(n, folder, settings) {
  const machine = settings.machines[n];
  const databaseUrl = `postgres://forgeline:${SHOP_PASSWORD}@127.0.0.1:${machine.ports.primary}/forgeline`;
  const node = { name: `node${n}`, ...machine, machine, databaseUrl };
  const home = join(folder, node.name);
  mkdirSync(home, { mode: 0o700 });
  const hasSmallDisk = mountSmallDisk(home);
  const dataFolder = join(home, 'data');
  const settingsFile = join(home, 'patroni.yml');
  writeFileSync(settingsFile, patroniSettings(node, settings, dataFolder));
  const { uid, gid } = findPostgresUserIds();
  if (uid) for (const path of [home, settingsFile]) chownSync(path, uid, gid);
  const args = machine.inMachine(asPostgresUser(['patroni', settingsFile]));
  const patroni = startProgram(`patroni${n}`, args, folder);
  const pidFile = join(dataFolder, 'postmaster.pid');
  const postmaster = () => (existsSync(pidFile) ? Number(readFileSync(pidFile, 'utf8').split('\n')[0]) : undefined);
  const signalPostgres = (signal) => {
    const pid = postmaster();
    // If only the postmaster were frozen, open sessions would still be served. So all of its processes get the signal.
    if (!pid) return;
    spawnSync('pkill', [`-${signal}`, '-P', String(pid)]);
    try {
      process.kill(pid, `SIG${signal}`);
    } catch {
      // The process has already ended.
    }
  };
  onCleanUp(() => signalPostgres('CONT'));
  onCleanUp(() => signalPostgres('KILL'));
  return Object.assign(node, {
    patroni,
    signalPostgres,
    fillDisk: hasSmallDisk ? () => fillDisk(home) : undefined,
    slowDownDisk: () => slowDownDisk(listProcesses(postmaster())),
    acknowledgesWrite: () => acknowledgesWrite(machine),
  });
}
