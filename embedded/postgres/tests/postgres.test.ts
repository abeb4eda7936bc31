import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chooseOsUser, parsePasswd } from '../osUser';
import {
  launchDatabaseProcess,
  newFolder,
  openDatabaseProcess,
  postmasterPidOf,
  copyPreparedFolder,
  cleanUpDatabases,
} from '../../../__tests__/support/databaseProcess';
import { waitUntil } from '../../../__tests__/support/wait';

cleanUpDatabases();

const ANOTHER_SERVER = /^Another server is running on DATA_DIR \(.+\): .+\. \[exit 1\]$/;
const testAsRoot = process.getuid?.() === 0 ? test : test.skip;
const modeOf = (path: string) => statSync(path).mode & 0o777;

// Clause C.10.10
test('the embedded PostgreSQL writes durably, has no network port and is accessible only to its owner', async () => {
  const folder = newFolder();
  const server = await openDatabaseProcess('start', folder);
  const settings = [
    'fsync',
    'synchronous_commit',
    'data_checksums',
    'listen_addresses',
    'server_encoding',
    'is_superuser',
  ];
  const [current] = await server.query<{ values: string[] }>(
    `select array_agg(current_setting(name) order by ordinal) as values
       from unnest($1::text[]) with ordinality as s(name, ordinal)`,
    [settings],
  );
  expect(current?.values).toEqual(['on', 'on', 'on', '', 'UTF8', 'off']);
  expect([folder, join(folder, 'cluster'), join(folder, 'socket')].map(modeOf)).toEqual([0o700, 0o700, 0o700]);
  expect(server.messages).toEqual([`creating the database in ${folder} (first start only)`]);
});

// Clause C.10.10
test('a second start logs nothing and finds the data of the first start', async () => {
  const folder = await copyPreparedFolder();
  const first = await openDatabaseProcess('start', folder);
  await first.query('create table kept as select 42 as answer');
  await first.stop();
  expect(postmasterPidOf(folder)).toBeUndefined();

  const second = await openDatabaseProcess('start', folder);
  expect(await second.query('select answer from kept')).toEqual([{ answer: 42 }]);
  expect(second.messages).toEqual([]);
});

test('if two servers start at the same time on an empty data folder, exactly one of them runs', async () => {
  const folder = newFolder();
  const starts = await Promise.allSettled([openDatabaseProcess('start', folder), openDatabaseProcess('start', folder)]);
  const refused = starts.filter((start) => start.status === 'rejected');
  expect(refused.map(({ reason }) => (reason as Error).message)).toEqual([expect.stringMatching(ANOTHER_SERVER)]);
  const running = starts.find((start) => start.status === 'fulfilled');
  expect(await running!.value.query('select 1 as one')).toEqual([{ one: 1 }]);
});

// Clause C.10.11
test('a server that starts after kill -9 of the previous server adopts its PostgreSQL, finds all data and stops it cleanly', async () => {
  const folder = await copyPreparedFolder();
  const first = await openDatabaseProcess('start', folder);
  await first.query('create table acknowledged as select 1 as n');
  const postmaster = postmasterPidOf(folder);
  await first.kill();

  const second = await openDatabaseProcess('start', folder);
  expect(postmasterPidOf(folder)).toBe(postmaster);
  expect(await second.query('select n from acknowledged')).toEqual([{ n: 1 }]);
  await second.stop();
  expect(postmasterPidOf(folder)).toBeUndefined();
  expect(readFileSync(join(folder, 'postgres.log'), 'utf8')).toMatch(/database system is shut down\s*$/);
});

test('kill -9 of the server and PostgreSQL loses no data, even if another process gets the process id of PostgreSQL', async () => {
  const folder = await copyPreparedFolder();
  const first = await openDatabaseProcess('start', folder);
  await first.query('create table acknowledged as select 1 as n');
  await first.kill();
  process.kill(postmasterPidOf(folder)!, 'SIGKILL');
  const { uid, gid } = statSync(join(folder, 'cluster'));
  const unrelated = spawn('sleep', ['60'], process.getuid?.() === 0 ? { uid, gid } : {});
  for (const file of ['cluster/postmaster.pid', 'socket/.s.PGSQL.5432.lock'].map((name) => join(folder, name))) {
    writeFileSync(file, readFileSync(file, 'utf8').replace(/^\d+/, String(unrelated.pid)));
  }

  const second = await openDatabaseProcess('start', folder);
  expect(await second.query('select n from acknowledged')).toEqual([{ n: 1 }]);
  unrelated.kill();
});

test('a server restarts a PostgreSQL that has died, on the same host and port', async () => {
  const folder = await copyPreparedFolder();
  const server = await openDatabaseProcess('start', folder);
  process.kill(postmasterPidOf(folder)!, 'SIGKILL');
  await waitUntil(() => server.messages.includes('connection to PostgreSQL restored'));
  expect(await server.query('select 1 as one')).toEqual([{ one: 1 }]);
  await expect(openDatabaseProcess('start', folder)).rejects.toThrow(ANOTHER_SERVER);
});

test("a program that attaches to a running server's PostgreSQL leaves it running when it ends", async () => {
  const folder = await copyPreparedFolder();
  const server = await openDatabaseProcess('start', folder);
  const program = await openDatabaseProcess('attach', folder);
  expect(program.connection).toEqual(server.connection);
  await program.stop();
  expect(await server.query('select 1 as one')).toEqual([{ one: 1 }]);
});

test('without a server, the first program that needs PostgreSQL starts it, and the last one to end stops it', async () => {
  const folder = await copyPreparedFolder();
  const first = await openDatabaseProcess('attach', folder);
  const second = await openDatabaseProcess('attach', folder);
  await first.stop();
  expect(await second.query('select 1 as one')).toEqual([{ one: 1 }]);
  await second.stop();
  expect(postmasterPidOf(folder)).toBeUndefined();
});

test('a program that needs PostgreSQL does not create a database in an empty data folder', async () => {
  const folder = newFolder();
  await expect(openDatabaseProcess('attach', folder)).rejects.toThrow(`There is no database in DATA_DIR (${folder}): `);
  expect(existsSync(join(folder, 'cluster'))).toBe(false);
});

test('PostgreSQL keeps running for a server after the program that started it has ended', async () => {
  const folder = await copyPreparedFolder();
  const program = await openDatabaseProcess('attach', folder);
  const server = await openDatabaseProcess('start', folder);
  await program.stop();
  expect(await server.query('select 1 as one')).toEqual([{ one: 1 }]);
});

test('a data folder can be used even if its first startup was killed', async () => {
  const folder = newFolder();
  const child = launchDatabaseProcess('start', folder);
  const hasUnfinishedCluster = () =>
    readdirSync(folder).some((name) => existsSync(join(folder, name, 'cluster', 'PG_VERSION')));
  await waitUntil(() => existsSync(folder) && hasUnfinishedCluster());
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(existsSync(join(folder, 'cluster'))).toBe(false);

  const server = await openDatabaseProcess('start', folder);
  expect(await server.query('select 1 as one')).toEqual([{ one: 1 }]);
});

test('a database of another major version is refused with a message that says how to upgrade', async () => {
  const folder = await copyPreparedFolder();
  await (await openDatabaseProcess('start', folder)).stop();
  writeFileSync(join(folder, 'cluster', 'PG_VERSION'), '17\n');
  await expect(openDatabaseProcess('start', folder)).rejects.toThrow(
    /created by PostgreSQL 17, but this release contains PostgreSQL 18: .*npm run backup/,
  );
  expect(postmasterPidOf(folder)).toBeUndefined();
});

test('if the path of DATA_DIR is too long for a socket, the socket is in a private folder with a short path, even after kill -9', async () => {
  const folder = await copyPreparedFolder('a-long-name'.repeat(9));
  const first = await openDatabaseProcess('start', folder);
  expect(first.connection.host.startsWith(tmpdir())).toBe(true);
  expect(modeOf(first.connection.host)).toBe(0o700);
  await first.kill();

  const second = await openDatabaseProcess('start', folder);
  expect(second.connection).toEqual(first.connection);
  await second.stop();
  expect(existsSync(first.connection.host)).toBe(false);
});

test("Ctrl-C in the server's terminal does not interrupt its PostgreSQL", async () => {
  const server = await openDatabaseProcess('start', await copyPreparedFolder());
  process.kill(-server.child.pid!, 'SIGINT');
  expect(await server.query("select pg_sleep(0.3)::text as slept, 'here' as still")).toEqual([
    { slept: '', still: 'here' },
  ]);
});

test('under root, PostgreSQL runs as the owner of the data folder, or else as postgres, nobody or another user', () => {
  const users = parsePasswd('root:x:0:0::/:/bin/sh\nbin:x:1:1::/:\nnobody:x:65534:65534::/:\npostgres:x:70:70::/:\n');
  const without = (...names: string[]) => users.filter(({ name }) => !names.includes(name));
  expect(chooseOsUser(users, 1)?.name).toBe('bin');
  expect(chooseOsUser(users, 0)?.name).toBe('postgres');
  expect(chooseOsUser(without('postgres'), 0)?.name).toBe('nobody');
  expect(chooseOsUser(without('postgres', 'nobody'), 0)?.name).toBe('bin');
  expect(chooseOsUser([], 0)).toBeUndefined();
});

testAsRoot('a DATA_DIR that only root can enter contains the path of the folder that has its database', async () => {
  const folder = newFolder('data', 0o700);
  const first = await openDatabaseProcess('start', folder);
  const location = readFileSync(join(folder, 'place'), 'utf8').trim();
  try {
    expect(first.connection.host.startsWith(location)).toBe(true);
    expect(modeOf(location)).toBe(0o700);
    await first.query('create table kept as select 42 as answer');
    await first.stop();
    const second = await openDatabaseProcess('start', folder);
    expect(await second.query('select answer from kept')).toEqual([{ answer: 42 }]);
    await second.stop();
  } finally {
    rmSync(location, { recursive: true, force: true });
  }
});
