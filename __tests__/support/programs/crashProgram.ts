import type { PoolConfig } from 'pg';
import pino from 'pino';
import { readSettings } from '../../../server/settings/settings';
import { openShop } from '../../../server/shop';
import { WITHOUT_TIME_LIMITS } from '../shop';

/** Starts a server on the given database. It kills itself right before the given checkpoint. */
async function main(): Promise<void> {
  const connection = JSON.parse(process.env['CONNECTION']!) as PoolConfig;
  const more = JSON.parse(process.env['MORE_SETTINGS']!) as Record<string, string>;
  const defaults = { PORT: process.env['PORT'], DEMO: 'off', RATE_LIMIT: 'off', LOG_LEVEL: 'silent' };
  const settings = readSettings({ ...defaults, ...more });
  const checkpoint = async (name: string) => {
    if (name === process.env['CRASH_BEFORE']) process.kill(process.pid, 'SIGKILL');
  };
  const shop = await openShop({
    settings,
    connection,
    logger: pino({ level: 'silent' }),
    checkpoint,
    backgroundJobs: settings.mail !== undefined,
    warmPages: false,
    ...WITHOUT_TIME_LIMITS,
    faults: { onDelivery: () => [] },
  });
  await shop.app.listen({ port: settings.port, host: '127.0.0.1' });
  process.send?.('ready');
}

void main();
