import { existsSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chooseRunner, usersIn } from '../runner';
import {
  cleanUp,
  forgetPrepared,
  killed,
  launch,
  newFolder,
  open,
  postmasterOf,
  query,
  stranger,
  usedFolder,
} from '../../../__tests__/support/databaseProcess';
import { waitUntil } from '../../../__tests__/support/wait';

afterEach(cleanUp);
afterAll(forgetPrepared);

const ANOTHER = /^Another server is running on DATA_DIR \(.+\): .+\. \[exit 1\]$/;
const onlyForRoot = process.getuid?.() === 0 ? test : test.skip;
const modeOf = (path: string) => statSync(path).mode & 0o777;

// Clause C.10.10
test('its own PostgreSQL is durable, off the network and in a folder readable by its owner alone', async () => {
  const folder = newFolder();
  const server = await open('start', folder);
  const settings = [
    'fsync',
    'synchronous_commit',
    'data_checksums',
    'listen_addresses',
    'server_encoding',
    'is_superuser',
  ];
  const [held] = await query<{ values: string[] }>(
    server,
    'select array_agg(current_setting(name) order by at) as values from unnest($1::text[]) with ordinality as s(name, at)',
    [settings],
  );
  expect(held?.values).toEqual(['on', 'on', 'on', '', 'UTF8', 'off']);
  expect([folder, join(folder, 'cluster'), join(folder, 'socket')].map(modeOf)).toEqual([0o700, 0o700, 0o700]);
  expect(server.said).toEqual([`Preparing the database in ${folder} (only this once).`]);
});

// Clause C.10.10
test('a second start is quick and silent, and finds what the first left', async () => {
  const folder = await usedFolder();
  const first = await open('start', folder);
  await query(first, 'create table kept as select 42 as answer');
  await first.stop();
  expect(postmasterOf(folder)).toBeUndefined();

  const took: number[] = [];
  // The quickest of a few: a busy machine says nothing of the start.
  while (took.length < 5 && !took.some((milliseconds) => milliseconds < 1_000)) {
    const again = await open('start', folder);
    expect(await query(again, 'select answer from kept')).toEqual([{ answer: 42 }]);
    expect(again.said).toEqual([]);
    took.push(again.milliseconds);
    await again.stop();
  }
  expect(Math.min(...took)).toBeLessThan(1_000);
});

test('a second server on the folder says so and exits 1, and the first goes on', async () => {
  const folder = await usedFolder();
  const first = await open('start', folder);
  await expect(open('start', folder)).rejects.toThrow(ANOTHER);
  expect(await query(first, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('of two servers started at the same instant on an empty folder, one runs', async () => {
  const folder = newFolder();
  const starts = await Promise.allSettled([open('start', folder), open('start', folder)]);
  const refused = starts.filter((start) => start.status === 'rejected');
  expect(refused.map(({ reason }) => (reason as Error).message)).toEqual([expect.stringMatching(ANOTHER)]);
  const running = starts.find((start) => start.status === 'fulfilled');
  expect(await query(running!.value, 'select 1 as one')).toEqual([{ one: 1 }]);
});

// Clause C.10.11
test('kill -9 of the server loses nothing: the next start adopts its PostgreSQL and stops it clean', async () => {
  const folder = await usedFolder();
  const first = await open('start', folder);
  await query(first, 'create table acknowledged as select 1 as n');
  const postmaster = postmasterOf(folder);
  await first.kill();

  const second = await open('start', folder);
  expect(postmasterOf(folder)).toBe(postmaster);
  expect(await query(second, 'select n from acknowledged')).toEqual([{ n: 1 }]);
  await second.stop();
  expect(postmasterOf(folder)).toBeUndefined();
  expect(readFileSync(join(folder, 'postgres.log'), 'utf8')).toMatch(/database system is shut down\s*$/);
});

test('kill -9 of both loses nothing, even when a stranger has the number of the dead by now', async () => {
  const folder = await usedFolder();
  const first = await open('start', folder);
  await query(first, 'create table acknowledged as select 1 as n');
  await first.kill();
  process.kill(postmasterOf(folder)!, 'SIGKILL');
  const pid = String(stranger(folder));
  for (const file of ['cluster/postmaster.pid', 'socket/.s.PGSQL.5432.lock'].map((name) => join(folder, name))) {
    writeFileSync(file, readFileSync(file, 'utf8').replace(/^\d+/, pid));
  }

  const second = await open('start', folder);
  expect(await query(second, 'select n from acknowledged')).toEqual([{ n: 1 }]);
});

test('when PostgreSQL dies under the server, the server opens it again at the same address', async () => {
  const folder = await usedFolder();
  const server = await open('start', folder);
  process.kill(postmasterOf(folder)!, 'SIGKILL');
  await waitUntil(() => server.said.includes('PostgreSQL is there again.'));
  expect(await query(server, 'select 1 as one')).toEqual([{ one: 1 }]);
  await expect(open('start', folder)).rejects.toThrow(ANOTHER);
});

test('doctor and backup join a running server and leave it running', async () => {
  const folder = await usedFolder();
  const server = await open('start', folder);
  const visitor = await open('attach', folder);
  expect(visitor.connection).toEqual(server.connection);
  await visitor.stop();
  expect(await query(server, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('with no server they start PostgreSQL for themselves, and the last one out stops it', async () => {
  const folder = await usedFolder();
  const first = await open('attach', folder);
  const second = await open('attach', folder);
  await first.stop();
  expect(await query(second, 'select 1 as one')).toEqual([{ one: 1 }]);
  await second.stop();
  expect(postmasterOf(folder)).toBeUndefined();
});

test('they make no database where there is none, of which a backup would be empty', async () => {
  const folder = newFolder();
  await expect(open('attach', folder)).rejects.toThrow(`There is no database in DATA_DIR (${folder}): `);
  expect(existsSync(join(folder, 'cluster'))).toBe(false);
});

test('a server that starts beside them keeps PostgreSQL when they leave', async () => {
  const folder = await usedFolder();
  const visitor = await open('attach', folder);
  const server = await open('start', folder);
  await visitor.stop();
  expect(await query(server, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('a start killed while it prepares the folder leaves one that starts', async () => {
  const folder = newFolder();
  const child = launch('start', folder);
  const halfMade = () => readdirSync(folder).some((name) => existsSync(join(folder, name, 'cluster', 'PG_VERSION')));
  await waitUntil(() => existsSync(folder) && halfMade());
  await killed(child);
  expect(existsSync(join(folder, 'cluster'))).toBe(false);

  const server = await open('start', folder);
  expect(await query(server, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('a database of another major version is left alone, with a sentence that says what to do', async () => {
  const folder = await usedFolder();
  await (await open('start', folder)).stop();
  writeFileSync(join(folder, 'cluster', 'PG_VERSION'), '17\n');
  await expect(open('start', folder)).rejects.toThrow(
    /made by PostgreSQL 17 and this release brings 18: .*npm run backup/,
  );
  expect(postmasterOf(folder)).toBeUndefined();
});

test('where the path is too long for a socket, a short private folder holds it, also after a kill -9', async () => {
  const folder = await usedFolder('a-long-name'.repeat(9));
  const first = await open('start', folder);
  expect(first.connection.host.startsWith(tmpdir())).toBe(true);
  expect(modeOf(first.connection.host)).toBe(0o700);
  await first.kill();

  const second = await open('start', folder);
  expect(second.connection).toEqual(first.connection);
  await second.stop();
  expect(existsSync(first.connection.host)).toBe(false);
});

test('Ctrl-C reaches the server and not its PostgreSQL', async () => {
  const server = await open('start', await usedFolder());
  process.kill(-server.child.pid!, 'SIGINT');
  expect(await query(server, "select pg_sleep(0.3)::text as slept, 'here' as still")).toEqual([
    { slept: '', still: 'here' },
  ]);
});

test('run as root it takes the owner of the folder, else postgres, else nobody, else whoever there is', () => {
  const users = usersIn('root:x:0:0::/:/bin/sh\nbin:x:1:1::/:\nnobody:x:65534:65534::/:\npostgres:x:70:70::/:\n');
  const without = (...names: string[]) => users.filter(({ name }) => !names.includes(name));
  expect(chooseRunner(users, 1)?.name).toBe('bin');
  expect(chooseRunner(users, 0)?.name).toBe('postgres');
  expect(chooseRunner(without('postgres'), 0)?.name).toBe('nobody');
  expect(chooseRunner(without('postgres', 'nobody'), 0)?.name).toBe('bin');
  expect(chooseRunner([], 0)).toBeUndefined();
});

onlyForRoot('a DATA_DIR where only root may go remembers the reachable place of its database', async () => {
  const folder = newFolder('data', 0o700);
  const first = await open('start', folder);
  const place = readFileSync(join(folder, 'place'), 'utf8').trim();
  try {
    expect(first.connection.host.startsWith(place)).toBe(true);
    expect(modeOf(place)).toBe(0o700);
    await query(first, 'create table kept as select 42 as answer');
    await first.stop();
    const second = await open('start', folder);
    expect(await query(second, 'select answer from kept')).toEqual([{ answer: 42 }]);
    await second.stop();
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
});
