import { execFileSync, spawnSync } from 'node:child_process';
import { onCleanUp } from './cleanUp.mjs';
import { loadTestKit } from '../../lib/testKit.mjs';

const DEFAULT_PORTS = {
  etcd: 2379,
  peer: 2380,
  postgres: 5432,
  patroni: 8008,
  primary: 5000,
  shop: 3000,
};
const DISK_SIZE = '3g';

/** `inMachine` turns a program's arguments into those that start it on the machine. */
export const THIS_MACHINE = { address: '127.0.0.1', inMachine: (args) => args };

export const ENVIRONMENT = { PATH: `${process.env.PATH}:/usr/sbin:/sbin`, LC_ALL: 'C.UTF-8' };
const options = { env: ENVIRONMENT, stdio: ['ignore', 'ignore', 'pipe'] };
const runSystemCommand = (name, ...args) => execFileSync(name, args, options);
const ip = (...args) => runSystemCommand('ip', ...args);

/** Network namespaces and their bridge need root and a kernel that has both. */
function canCreateNamespaces() {
  const name = `fl${process.pid}`;
  const works = (...args) => spawnSync('ip', args, options).status === 0;
  return (
    process.getuid() === 0 &&
    works('netns', 'add', name) &&
    works('netns', 'delete', name) &&
    works('link', 'add', name, 'type', 'bridge') &&
    works('link', 'delete', name)
  );
}

/** Machines that differ only in their ports. Their network cannot be cut. */
async function createMachinesByPorts(count) {
  const { freePort } = loadTestKit();
  const used = new Set();
  const takePort = async () => {
    for (;;) {
      const port = await freePort();
      if (used.has(port)) continue;
      used.add(port);
      return port;
    }
  };
  const machines = [];
  for (let n = 0; n < count; n++) {
    const ports = {};
    for (const name of Object.keys(DEFAULT_PORTS)) ports[name] = await takePort();
    machines.push({ ...THIS_MACHINE, ports });
  }
  return { machines, network: '127.0.0.1/32' };
}

/**
 * Creates machines with a network namespace each. A bridge connects them with each other and with this process, which
 * sends the requests of the customers.
 */
function createMachinesWithNamespaces(count) {
  const id = process.pid;
  const network = `10.${128 + (id % 100)}.${Math.floor(id / 100) % 250}`;
  const [bridge, otherBridge] = [`fl${id}a`, `fl${id}b`];
  for (const name of [bridge, otherBridge]) {
    ip('link', 'add', name, 'type', 'bridge');
    onCleanUp(() => ip('link', 'delete', name));
    ip('link', 'set', name, 'up');
  }
  ip('address', 'add', `${network}.1/24`, 'dev', bridge);

  function createMachine(n) {
    const [namespace, cable, address] = [`fl${id}-${n}`, `fl${id}v${n}`, `${network}.${n + 2}`];
    ip('netns', 'add', namespace);
    onCleanUp(() => ip('netns', 'delete', namespace));
    ip('link', 'add', cable, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace);
    ip('link', 'set', cable, 'master', bridge, 'up');
    ip('-n', namespace, 'address', 'add', `${address}/24`, 'dev', 'eth0');
    for (const device of ['eth0', 'lo']) ip('-n', namespace, 'link', 'set', device, 'up');
    return { address, cable, ports: DEFAULT_PORTS, inMachine: (args) => ['ip', 'netns', 'exec', namespace, ...args] };
  }
  const machines = Array.from({ length: count }, (_, n) => createMachine(n));
  const connectTo = (name, list) => list.forEach(({ cable }) => ip('link', 'set', cable, 'master', name));
  return {
    machines,
    network: `${network}.0/24`,
    /** Cuts these machines off from all others and from the customers. They still reach each other. */
    cutOff: (list) => connectTo(otherBridge, list),
    reconnect: () => connectTo(bridge, machines),
  };
}

/**
 * Creates machines for the services of a cluster, with a network namespace each where that is allowed. `cutOff` is
 * missing if the machines share a network.
 */
export const createMachines = (count) =>
  canCreateNamespaces() ? createMachinesWithNamespaces(count) : createMachinesByPorts(count);

/** Mounts a file system of limited size. Only root can do so. @returns whether it is mounted */
export function mountSmallDisk(folder) {
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_SIZE}`, 'tmpfs', folder], options).status !== 0)
    return false;
  onCleanUp(() => runSystemCommand('umount', '-l', folder));
  return true;
}
