import { rmSync } from 'node:fs';
import { runResources } from './databaseSetup';

export default async function teardown(): Promise<void> {
  await runResources.stopBrowser?.();
  await runResources.stopShops?.();
  await runResources.database?.stop();
  if (runResources.folder) rmSync(runResources.folder, { recursive: true, force: true });
  Object.assign(runResources, {
    stopBrowser: undefined,
    stopShops: undefined,
    database: undefined,
    folder: undefined,
  });
}
