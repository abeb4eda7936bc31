import { openPool, type Db } from '../../../server/db/database';
import { runUnlessSweeping } from '../../../server/db/locks';
import { createDatabaseWithoutTables, type TestDatabase } from '../../support/database';
import { expectEventually } from '../../support/wait';

let database: TestDatabase;
let servers: Db[];
beforeEach(async () => {
  database = await createDatabaseWithoutTables();
  servers = [0, 1, 2].map(() => openPool(database.connection, () => undefined, 2));
});
afterEach(async () => {
  for (const { $client } of servers) await $client.end();
  await database.drop();
});

test('only one server sweeps at a time, and another one can sweep after a sweep that failed', async () => {
  const runs: string[] = [];
  const sweepAs = (server: number, name: string, work = () => Promise.resolve()) =>
    runUnlessSweeping(servers[server]!, async () => {
      runs.push(name);
      await work();
    });
  await sweepAs(0, 'first', () => sweepAs(1, 'during the first'));
  await expect(sweepAs(1, 'second', () => Promise.reject(new Error('fails')))).rejects.toThrow('fails');
  // PostgreSQL notices a closed connection a moment later.
  await expectEventually(async () => {
    await sweepAs(2, 'third');
    return runs.includes('third');
  }, true);
  expect(runs).toEqual(['first', 'second', 'third']);
});
