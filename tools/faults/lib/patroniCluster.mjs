import { spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { canSlowDown, createDatabase, startEtcd, startHaproxy, startNode } from './clusterServices.mjs';
import { createMachines, ENVIRONMENT } from './machines.mjs';
import { findBinFolder } from './systemPostgres.mjs';
import { createTempFolder } from './tempFolder.mjs';

const PROGRAMS = ['patroni', 'etcd', 'haproxy', 'ip'];
export const NEEDS_CLUSTER =
  'it needs these Debian packages: apt-get install patroni etcd-server haproxy postgresql iproute2';
export const canStartCluster = () =>
  findBinFolder() !== undefined &&
  PROGRAMS.every((name) => spawnSync('sh', ['-c', `command -v ${name}`], { env: ENVIRONMENT }).status === 0);

const NODES = 3;
const HEALTHY_TIMEOUT_MS = 120_000;

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

/** @returns the response of Patroni's API, or undefined if it does not respond */
const callPatroni = (node, path = '/patroni', { timeoutMs = 1_000, ...options } = {}) =>
  fetch(`http://${node.address}:${node.ports.patroni}${path}`, {
    signal: globalThis.AbortSignal.timeout(timeoutMs),
    ...options,
  }).catch(() => undefined);

/**
 * Starts three machines, each with an etcd, a PostgreSQL under Patroni and an HAProxy, whose primary port is
 * `databaseUrl`. `cutOff` is missing if the machines have no networks of their own, and `hasOwnDisks` is false if they
 * share a disk.
 */
export async function startCluster() {
  const folder = createTempFolder();
  const { machines, network, cutOff, reconnect } = await createMachines(NODES);
  const settings = { machines, network, api: isPatroniSafe() ? 'etcd3' : 'etcd' };
  const etcd = machines.map((_, n) => startEtcd(n, folder, settings));
  const nodes = machines.map((_, n) => startNode(n, folder, settings));
  const balancers = machines.map((_, n) => startHaproxy(n, folder, settings));

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
  /** @param {string} event what happened to the cluster before */
  async function waitUntilHealthy(event) {
    const end = performance.now() + HEALTHY_TIMEOUT_MS;
    while (!(await isHealthy())) {
      if (performance.now() > end) {
        const logs = nodes.map(({ name, patroni }) => `${name}:\n${patroni.readLog()}`);
        throw new Error(`The cluster is not healthy after two minutes: ${event}.\n${logs.join('\n')}`);
      }
      await sleep(200);
    }
  }
  await waitUntilHealthy('the start');
  createDatabase(machines[0]);
  const hasOwnDisks = nodes.every(({ fillDisk }) => fillDisk);
  const canSlowDisks = canSlowDown();
  const controls = { findPrimaries, waitUntilHealthy, callPatroni, cutOff, reconnect };
  return { nodes, etcd, balancers, hasOwnDisks, canSlowDisks, ...controls };
}
