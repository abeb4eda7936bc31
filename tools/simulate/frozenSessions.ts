const frozen = new Set<number>();

const signal = (pid: number, name: NodeJS.Signals) => {
  try {
    process.kill(pid, name);
  } catch {
    // The session has just ended, or the system has no such signal.
  }
};

/**
 * Stops the processes of sessions that wait for a lock. When a lock is released, all sessions that wait for it wake up,
 * and the operating system would decide which of them gets it. So they are woken one after another.
 */
export const frozenSessions = {
  /** Whether the server's processes are this simulator's own, so that no other program can have their ids. */
  isAllowed: false,

  freeze(pid: number) {
    if (!this.isAllowed) return;
    frozen.add(pid);
    signal(pid, 'SIGSTOP');
  },

  thaw(pid: number) {
    if (frozen.delete(pid)) signal(pid, 'SIGCONT');
  },

  thawAll() {
    for (const pid of frozen) this.thaw(pid);
  },
};

// A server with a stopped process would never shut down.
process.on('exit', () => frozenSessions.thawAll());
for (const name of ['SIGINT', 'SIGTERM'] as const)
  process.once(name, () => {
    frozenSessions.thawAll();
    process.kill(process.pid, name);
  });
