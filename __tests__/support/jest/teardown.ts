import { rmSync } from 'node:fs';
import { running } from './databaseSetup';

export default async function teardown(): Promise<void> {
  await running.stopBrowser?.();
  await running.stopShop?.();
  await running.stopProxy?.();
  await running.database?.stop();
  if (running.folder) rmSync(running.folder, { recursive: true, force: true });
  Object.assign(running, {
    stopBrowser: undefined,
    stopShop: undefined,
    stopProxy: undefined,
    database: undefined,
    folder: undefined,
  });
}
