import type { PoolConfig } from 'pg';
import pino from 'pino';
import { readSettings } from '../../../server/settings';
import { openShop } from '../../../server/shop';
import { A_TEST_KEEPS_ITS_SERVER_WAITING_MS } from '../shop';

/** A server on a given database that is killed exactly before a given step. */
async function main(): Promise<void> {
  const connection = JSON.parse(process.env['CONNECTION']!) as PoolConfig;
  const settings = readSettings({ PORT: process.env['PORT'], DEMO: 'off', RATE_LIMIT: 'off', LOG_LEVEL: 'silent' });
  const checkpoint = async (step: string) => {
    if (step === process.env['DIE_BEFORE']) process.kill(process.pid, 'SIGKILL');
  };
  const shop = await openShop({
    settings,
    connection,
    logger: pino({ level: 'silent' }),
    checkpoint,
    sweeps: false,
    maxLagMs: A_TEST_KEEPS_ITS_SERVER_WAITING_MS,
    faults: { onDelivery: () => [] },
  });
  await shop.app.listen({ port: settings.port, host: '127.0.0.1' });
  process.send?.('ready');
}

void main();
