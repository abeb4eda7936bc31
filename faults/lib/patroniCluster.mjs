import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from '../../scripts/install.mjs';
import { loadTestKit } from '../../scripts/testKit.mjs';
import { onCleanUp } from './cleanUp.mjs';
import { findBinFolder, findPostgresUserIds } from './systemPostgres.mjs';
import { createTempFolder } from './tempFolder.mjs';

const PROGRAMS = ['patroni', 'etcd', 'haproxy'];
export const NEEDS_CLUSTER = 'it needs these Debian packages: apt-get install patroni etcd-server haproxy postgresql';
export const canStartCluster = () =>
  findBinFolder() !== undefined &&
  PROGRAMS.every((name) => spawnSync('sh', ['-c', `command -v ${name}`], { env: ENVIRONMENT }).status === 0);

const ENVIRONMENT = { PATH: `${process.env.PATH}:/usr/sbin`, LC_ALL: 'C.UTF-8' };
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

function createProgram(name, args, { folder, runAs = {} }) {
  let child;
  const program = {
    name,
    start() {
      const log = openSync(join(folder, `${name}.log`), 'a');
      child = spawn(args[0], args.slice(1), { cwd: folder, env: ENVIRONMENT, stdio: ['ignore', log, log], ...runAs });
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

async function freePorts(count) {
  const ports = new Set();
  while (ports.size < count) ports.add(await loadTestKit().freePort());
  return [...ports];
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

const patroniSettings = (node, { api, etcd }, dataFolder) =>
  readTemplate('patroni.yml', {
    'etcd3:': `${api}:`,
    'NODE_ADDRESS:8008': `127.0.0.1:${node.restPort}`,
    'NODE_ADDRESS:5432': `127.0.0.1:${node.port}`,
    NODE_NAME: node.name,
    ...Object.fromEntries(etcd.map(({ port }, n) => [`ETCD_${n + 1}:2379`, `127.0.0.1:${port}`])),
    DATA_FOLDER: dataFolder,
    POSTGRESQL_BIN: findBinFolder(),
    SUPERUSER_PASSWORD: 'postgres',
    REPLICATOR_PASSWORD: 'replicator',
    REWINDER_PASSWORD: 'rewinder',
    NETWORK: '127.0.0.1/32',
  });

const balancerSettings = (ports, nodes) =>
  readTemplate('haproxy.cfg', {
    '127.0.0.1:5000': `127.0.0.1:${ports[0]}`,
    '127.0.0.1:5001': `127.0.0.1:${ports[1]}`,
    ...Object.fromEntries(
      nodes.map(({ port, restPort }, n) => [
        `NODE_${n}:5432 check port 8008`,
        `127.0.0.1:${port} check port ${restPort}`,
      ]),
    ),
  });

/** @returns the response of Patroni's API, or undefined if it does not respond */
const callPatroni = (node, path = '/patroni', { timeoutMs = 1_000, ...options } = {}) =>
  fetch(`http://127.0.0.1:${node.restPort}${path}`, {
    signal: globalThis.AbortSignal.timeout(timeoutMs),
    ...options,
  }).catch(() => undefined);

async function startEtcd(folder, api) {
  const ports = await freePorts(2 * NODES);
  const members = Array.from({ length: NODES }, (_, n) => ({
    name: `etcd${n}`,
    port: ports[2 * n],
    peer: ports[2 * n + 1],
  }));
  const cluster = members.map(({ name, peer }) => `${name}=http://127.0.0.1:${peer}`).join(',');
  return members.map(({ name, port, peer }) => {
    const urls = [
      '--advertise-client-urls',
      `http://127.0.0.1:${port}`,
      '--listen-client-urls',
      `http://127.0.0.1:${port}`,
    ];
    const peers = [
      '--initial-advertise-peer-urls',
      `http://127.0.0.1:${peer}`,
      '--listen-peer-urls',
      `http://127.0.0.1:${peer}`,
    ];
    const options = api === 'etcd3' ? [] : ['--enable-v2'];
    const args = ['etcd', '--name', name, '--data-dir', join(folder, name), ...options, ...urls, ...peers];
    const program = createProgram(name, [...args, '--initial-cluster', cluster], { folder });
    program.start();
    return Object.assign(program, { port });
  });
}

async function startNode(n, folder, store) {
  const runAs = findPostgresUserIds();
  const [port, restPort] = await freePorts(2);
  const node = { name: `node${n}`, port, restPort };
  const home = join(folder, node.name);
  mkdirSync(home, { mode: 0o700 });
  const dataFolder = join(home, 'data');
  writeFileSync(join(home, 'patroni.yml'), patroniSettings(node, store, dataFolder));
  if (runAs.uid) for (const path of [home, join(home, 'patroni.yml')]) chownSync(path, runAs.uid, runAs.gid);
  const patroni = createProgram('patroni', ['patroni', join(home, 'patroni.yml')], { folder: home, runAs });
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
  return Object.assign(node, { patroni, signalPostgres });
}

/** Starts three etcd, three PostgreSQL under Patroni, and HAProxy in front of them, all on loopback. */
export async function startCluster() {
  const folder = createTempFolder();
  const api = isPatroniSafe() ? 'etcd3' : 'etcd';
  const etcd = await startEtcd(folder, api);
  const nodes = [];
  for (let n = 0; n < NODES; n++) nodes.push(await startNode(n, folder, { api, etcd }));
  const ports = await freePorts(2);
  writeFileSync(join(folder, 'haproxy.cfg'), balancerSettings(ports, nodes));
  const balancer = createProgram('haproxy', ['haproxy', '-db', '-f', join(folder, 'haproxy.cfg')], { folder });
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
  const url = `postgres://postgres:postgres@127.0.0.1:${ports[0]}/postgres`;
  return { url, nodes, etcd, balancer, findPrimaries, waitUntilHealthy, callPatroni };
}
