import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from '../../scripts/install.mjs';
import { loadTestKit } from '../../scripts/testKit.mjs';
import { onCleanUp } from './cleanUp.mjs';
import { findBinFolder, findPostgresUserIds } from './systemPostgres.mjs';
import { createMachines, ENVIRONMENT, mountSmallDisk } from './machines.mjs';
import { createTempFolder } from './tempFolder.mjs';

const PROGRAMS = ['patroni', 'etcd', 'haproxy', 'ip'];
export const NEEDS_CLUSTER =
  'it needs these Debian packages: apt-get install patroni etcd-server haproxy postgresql iproute2';
export const canStartCluster = () =>
  findBinFolder() !== undefined &&
  PROGRAMS.every((name) => spawnSync('sh', ['-c', `command -v ${name}`], { env: ENVIRONMENT }).status === 0);

const NODES = 3;
const START_TIMEOUT_MS = 120_000;

/**
 * With version 3 of etcd's API, earlier versions of Patroni can overwrite the leader key of another node:
 * https://github.com/patroni/patroni/pull/2689
 */
const SAFE_PATRONI = [3, 0, 3];
function isPatroniSafe() {
  const { stdout } = spawnSync('patroni', ['--version'], { env: ENVIRONMENT, encoding: 'utf8' });
  const version = stdout.trim().split(' ').at(-1).split('.').map(Number);
  const differs = version.findIndex((part, n) => part !== SAFE_PATRONI[n]);
  return differs < 0 || version[differs] > SAFE_PATRONI[differs];
}

function createProgram(name, args, folder) {
  let child;
  const program = {
    name,
    start() {
      const log = openSync(join(folder, `${name}.log`), 'a');
      child = spawn(args[0], args.slice(1), { cwd: folder, env: ENVIRONMENT, stdio: ['ignore', log, log] });
      child.once('error', () => undefined);
    },
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

const patroniSettings = (node, { api, machines, network }, dataFolder) =>
  readTemplate('patroni.yml', {
    'etcd3:': `${api}:`,
    'NODE_ADDRESS:8008': `${node.address}:${node.ports.patroni}`,
    'NODE_ADDRESS:5432': `${node.address}:${node.ports.postgres}`,
    NODE_NAME: node.name,
    ...Object.fromEntries(machines.map(({ address, ports }, n) => [`ETCD_${n + 1}:2379`, `${address}:${ports.etcd}`])),
    DATA_FOLDER: dataFolder,
    POSTGRESQL_BIN: findBinFolder(),
    SUPERUSER_PASSWORD: 'postgres',
    REPLICATOR_PASSWORD: 'replicator',
    REWINDER_PASSWORD: 'rewinder',
    NETWORK: network,
  });

const balancerSettings = (port, standbyPort, nodes) =>
  readTemplate('haproxy.cfg', {
    '127.0.0.1:5000': `127.0.0.1:${port}`,
    '127.0.0.1:5001': `127.0.0.1:${standbyPort}`,
    ...Object.fromEntries(
      nodes.map(({ address, ports }, n) => [
        `NODE_${n}:5432 check port 8008`,
        `${address}:${ports.postgres} check port ${ports.patroni}`,
      ]),
    ),
  });

/** @returns the response of Patroni's API, or undefined if it does not respond */
const callPatroni = (node, path = '/patroni', { timeoutMs = 1_000, ...options } = {}) =>
  fetch(`http://${node.address}:${node.ports.patroni}${path}`, {
    signal: globalThis.AbortSignal.timeout(timeoutMs),
    ...options,
  }).catch(() => undefined);

function startEtcd(folder, { machines, api }) {
  const members = machines.map((machine, n) => ({ name: `etcd${n}`, machine }));
  const peerUrl = ({ address, ports }) => `http://${address}:${ports.peer}`;
  const cluster = members.map(({ name, machine }) => `${name}=${peerUrl(machine)}`).join(',');
  return members.map(({ name, machine }) => {
    const url = `http://${machine.address}:${machine.ports.etcd}`;
    const urls = ['--advertise-client-urls', url, '--listen-client-urls', url];
    const peers = ['--initial-advertise-peer-urls', peerUrl(machine), '--listen-peer-urls', peerUrl(machine)];
    const version = api === 'etcd3' ? [] : ['--enable-v2'];
    const args = ['etcd', '--name', name, '--data-dir', join(folder, name), ...version, ...urls, ...peers];
    const program = createProgram(name, machine.inMachine([...args, '--initial-cluster', cluster]), folder);
    program.start();
    return program;
  });
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

function startNode(n, folder, settings) {
  const machine = settings.machines[n];
  const node = { name: `node${n}`, ...machine, machine };
  const home = join(folder, node.name);
  mkdirSync(home, { mode: 0o700 });
  const hasSmallDisk = mountSmallDisk(home);
  const dataFolder = join(home, 'data');
  const settingsFile = join(home, 'patroni.yml');
  writeFileSync(settingsFile, patroniSettings(node, settings, dataFolder));
  const { uid, gid } = findPostgresUserIds();
  if (uid) for (const path of [home, settingsFile]) chownSync(path, uid, gid);
  const args = machine.inMachine(asPostgresUser(['patroni', settingsFile]));
  const patroni = createProgram(`patroni${n}`, args, folder);
  patroni.start();
  const pidFile = join(dataFolder, 'postmaster.pid');
  const postmaster = () => (existsSync(pidFile) ? Number(readFileSync(pidFile, 'utf8').split('\n')[0]) : undefined);
  const signalPostgres = (signal) => {
    const pid = postmaster();
    // If only the postmaster were frozen, open sessions would still be served. So all of its processes get the signal.
    if (pid) spawnSync('pkill', [`-${signal}`, '-P', String(pid)]);
    try {
      if (pid) process.kill(pid, `SIG${signal}`);
    } catch {
      // The process has already ended.
    }
  };
  onCleanUp(() => signalPostgres('CONT'));
  onCleanUp(() => signalPostgres('KILL'));
  return Object.assign(node, { patroni, signalPostgres, fillDisk: hasSmallDisk ? () => fillDisk(home) : undefined });
}

/**
 * Starts three machines with an etcd and a PostgreSQL under Patroni each, and HAProxy in front of them. `cutOff` is
 * missing if the machines have no networks of their own, and `hasOwnDisks` is false if they share a disk.
 */
export async function startCluster() {
  const folder = createTempFolder();
  const { machines, network, cutOff, reconnect } = await createMachines(NODES);
  const settings = { machines, network, api: isPatroniSafe() ? 'etcd3' : 'etcd' };
  const etcd = startEtcd(folder, settings);
  const nodes = machines.map((_, n) => startNode(n, folder, settings));
  const [port, standbyPort] = [await loadTestKit().freePort(), await loadTestKit().freePort()];
  writeFileSync(join(folder, 'haproxy.cfg'), balancerSettings(port, standbyPort, nodes));
  const balancer = createProgram('haproxy', ['haproxy', '-db', '-f', join(folder, 'haproxy.cfg')], folder);
  balancer.start();

  const findPrimaries = async () => {
    const responses = await Promise.all(nodes.map((node) => callPatroni(node, '/primary')));
    return nodes.filter((_, n) => responses[n]?.status === 200);
  };
  async function isHealthy() {
    const responses = await Promise.all(nodes.map((node) => callPatroni(node)));
    const states = await Promise.all(responses.map((response) => response?.json().catch(() => undefined)));
    const primary = states.find((state) => state?.role === 'master' || state?.role === 'primary');
    const standbys = (primary?.replication ?? []).filter(({ state }) => state === 'streaming');
    if (standbys.length < NODES - 1 || !standbys.some(({ sync_state }) => sync_state === 'sync')) return false;
    // Only a standby that etcd knows as synchronous can be promoted.
    const members = await callPatroni(nodes[0], '/cluster').then((response) => response?.json());
    return members?.members.some(({ role }) => role === 'sync_standby') === true;
  }
  async function waitUntilHealthy(timeoutMs = START_TIMEOUT_MS) {
    const end = performance.now() + timeoutMs;
    while (!(await isHealthy())) {
      if (performance.now() > end) throw new Error(`The cluster is not healthy after ${timeoutMs} ms.`);
      await sleep(200);
    }
  }
  await waitUntilHealthy();
  const url = `postgres://postgres:postgres@127.0.0.1:${port}/postgres`;
  const hasOwnDisks = nodes.every(({ fillDisk }) => fillDisk);
  const controls = { findPrimaries, waitUntilHealthy, callPatroni, cutOff, reconnect };
  return { url, nodes, etcd, balancer, hasOwnDisks, ...controls };
}
