import { rmSync } from 'node:fs';
import { running } from './databaseSetup';

export default async function teardown(): Promise<void> {
  await running.stopShop?.();
  await running.database?.stop();
  if (running.folder) rmSync(running.folder, { recursive: true, force: true });
  Object.assign(running, { stopShop: undefined, database: undefined, folder: undefined });
}
