import { copyPreparedFolder, openDatabaseProcess, cleanUpDatabases } from '../../support/databaseProcess';
import { lowestOf } from './eventDurations';

cleanUpDatabases();

test('a second start of the embedded PostgreSQL takes less than a second', async () => {
  const folder = await copyPreparedFolder();
  const measureStart = async () => {
    const server = await openDatabaseProcess('start', folder);
    await server.stop();
    return server.openMs;
  };
  expect(await lowestOf(1_000, measureStart)).toBeLessThan(1_000);
});
