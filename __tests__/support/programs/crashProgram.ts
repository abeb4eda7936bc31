import type { PoolConfig } from 'pg';
import { startShop } from '../shop';

/** Starts a server on the given database. It kills itself right before the given checkpoint. */
async function main(): Promise<void> {
  const env = JSON.parse(process.env['SETTINGS']!) as Record<string, string>;
  await startShop({
    connection: JSON.parse(process.env['CONNECTION']!) as PoolConfig,
    env,
    checkpoint: async (name) => {
      if (name === process.env['CRASH_BEFORE']) process.kill(process.pid, 'SIGKILL');
    },
    backgroundJobs: 'SMTP_URL' in env,
    faults: { onDelivery: () => [] },
  });
  process.send?.('ready');
}

void main();
