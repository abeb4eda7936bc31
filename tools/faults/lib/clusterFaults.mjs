import { setTimeout as sleep } from 'node:timers/promises';

/** Longer than the lease of the primary (`ttl` in patroni.yml), so that another node is promoted. */
const FROZEN_MS = 14_000;

async function switchOver({ callPatroni, nodes }, primary) {
  const body = JSON.stringify({ leader: primary.name });
  await callPatroni(nodes[0], '/switchover', { method: 'POST', body, timeoutMs: 30_000 });
}

/** Freezes the programs for five seconds. */
async function freeze(programs) {
  for (const program of programs) program.signal('SIGSTOP');
  await sleep(5_000);
  for (const program of programs) program.signal('SIGCONT');
  return () => undefined;
}

/** What the faults with this `needs` cannot do without. */
export const FAULT_NEEDS = {
  cutOff: 'root and network namespaces',
  hasOwnDisks: 'root',
  canSlowDisks: 'root and strace',
};

/**
 * `begin` breaks the cluster and returns a function that repairs it. `failsOver` means that another node must be
 * promoted. `needs` names what the cluster must have for this fault.
 */
export const CLUSTER_FAULTS = {
  'the primary and its Patroni are killed': {
    failsOver: true,
    async begin(_, { patroni, signalPostgres }) {
      await patroni.stop('SIGKILL');
      signalPostgres('KILL');
      return () => patroni.start();
    },
  },
  'the primary is killed': {
    failsOver: true,
    async begin(_, { signalPostgres }) {
      signalPostgres('KILL');
      return () => undefined;
    },
  },
  'the primary and its Patroni are frozen': {
    failsOver: true,
    async begin(_, { patroni, signalPostgres }) {
      patroni.signal('SIGSTOP');
      signalPostgres('STOP');
      return async () => {
        await sleep(FROZEN_MS);
        signalPostgres('CONT');
        patroni.signal('SIGCONT');
      };
    },
  },
  "the primary's Patroni is killed": {
    failsOver: true,
    async begin(_, { patroni }) {
      await patroni.stop('SIGKILL');
      return () => patroni.start();
    },
  },
  "the primary's Patroni is frozen": {
    failsOver: true,
    async begin(_, { patroni }) {
      patroni.signal('SIGSTOP');
      return async () => {
        await sleep(FROZEN_MS);
        patroni.signal('SIGCONT');
      };
    },
  },
  'the primary is frozen, but its Patroni is not': {
    async begin(_, { signalPostgres }) {
      signalPostgres('STOP');
      await sleep(FROZEN_MS);
      signalPostgres('CONT');
      return () => undefined;
    },
  },
  'a planned switchover': {
    failsOver: true,
    async begin(cluster, primary) {
      await switchOver(cluster, primary);
      return () => undefined;
    },
  },
  'one etcd is killed': {
    async begin({ etcd }, _, random) {
      const member = random.pick(etcd);
      await member.stop('SIGKILL');
      return () => member.start();
    },
  },
  'two of three etcd are down for five seconds': {
    async begin({ etcd }) {
      for (const member of etcd.slice(1)) await member.stop('SIGKILL');
      await sleep(5_000);
      for (const member of etcd.slice(1)) member.start();
      return () => undefined;
    },
  },
  'one etcd is frozen for five seconds': {
    begin: ({ etcd }, _, random) => freeze([random.pick(etcd)]),
  },
  'two of three etcd are frozen for five seconds': {
    begin: ({ etcd }) => freeze(etcd.slice(1)),
  },
  'HAProxy is restarted on all machines': {
    async begin({ balancers }) {
      for (const balancer of balancers) {
        await balancer.stop('SIGKILL');
        balancer.start();
      }
      return () => undefined;
    },
  },
  "the primary's machine is cut off from the others and from the customers": {
    needs: 'cutOff',
    failsOver: true,
    async begin({ cutOff, reconnect }, { machine }) {
      cutOff([machine]);
      return reconnect;
    },
  },
  "the primary's machine and the customers are cut off from the other machines": {
    needs: 'cutOff',
    async begin({ cutOff, reconnect, nodes }, primary) {
      cutOff(nodes.filter((node) => node !== primary).map(({ machine }) => machine));
      await sleep(FROZEN_MS);
      reconnect();
      return () => undefined;
    },
  },
  "the primary's disk is full for ten seconds": {
    needs: 'hasOwnDisks',
    async begin(_, { fillDisk }) {
      const free = fillDisk();
      await sleep(10_000);
      free();
      return () => undefined;
    },
  },
  "the primary's disk is slow: each write takes 0.3 s more": {
    needs: 'canSlowDisks',
    async begin(_, { slowDownDisk }) {
      const end = slowDownDisk();
      await sleep(10_000);
      await end();
      return () => undefined;
    },
  },
  'the primary is slow: it stands still half of the time': {
    async begin(_, { signalPostgres }) {
      for (let n = 0; n < 20; n++) {
        signalPostgres('STOP');
        await sleep(200);
        signalPostgres('CONT');
        await sleep(200);
      }
      return () => undefined;
    },
  },
};
