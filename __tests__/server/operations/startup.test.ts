import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { postmasterPidOf } from '../../support/databaseProcess';
import { freePort, startServer, type RunningServer } from '../../support/server';

const folder = mkdtempSync(join(tmpdir(), 'forgeline-startup-'));
const started: RunningServer[] = [];
afterAll(async () => {
  await Promise.all(started.map((server) => server.stop()));
  rmSync(folder, { recursive: true, force: true });
});

async function start(env: Record<string, string> = {}) {
  const server = await startServer({ DATA_DIR: folder, ...env });
  started.push(server);
  return server;
}

type Tool = { _id: string; name: string };
const listTools = async ({ origin }: RunningServer) => (await (await fetch(`${origin}/tool`)).json()) as Tool[];
const exitCodeOf = async ({ child }: RunningServer) =>
  (child.exitCode === null && child.signalCode === null ? await once(child, 'exit') : [child.exitCode])[0] as number;

// Clauses C.1.1, C.10.1
test('a server without settings starts its own database with demo data and prints how to sign in', async () => {
  const server = await start({ LOG_LEVEL: 'error' });
  const lines = server.output().split('\n');
  expect(lines[0]).toBe(`Forgeline is ready at ${server.origin}`);
  expect(server.output()).toContain('admin@forgeline.example');
  expect(server.output()).toContain('customer@forgeline.example');
  expect(server.output()).toContain('forgeline-demo');
  expect((await listTools(server)).length).toBeGreaterThanOrEqual(24);
});

test('a second server on the same data folder reports the running server and exits with code 1', async () => {
  await expect(start()).rejects.toThrow(/^Another server is running on DATA_DIR .*\[exit 1\]$/s);
});

test('a server whose port is in use reports this and stops its database', async () => {
  const [first] = started;
  const otherFolder = mkdtempSync(join(tmpdir(), 'forgeline-port-'));
  const port = new URL(first!.origin).port;
  await expect(start({ DATA_DIR: otherFolder, PORT: port })).rejects.toThrow(/^PORT is already in use.*\[exit 1\]$/s);
  expect([existsSync(join(otherFolder, 'cluster')), postmasterPidOf(otherFolder)]).toEqual([true, undefined]);
  rmSync(otherFolder, { recursive: true, force: true });
});

test('a server that starts after another one was killed with SIGKILL has the same tools', async () => {
  const [first] = started;
  const before = await listTools(first!);
  first!.child.kill('SIGKILL');
  await exitCodeOf(first!);
  const restarted = await start();
  expect(await listTools(restarted)).toEqual(before);
});

test('a server that gets SIGTERM cuts off no response and exits with code 0', async () => {
  const server = started.at(-1)!;
  const responses = Array.from({ length: 20 }, () =>
    fetch(`${server.origin}/tool`).then(
      async (response) => [response.status, ((await response.json()) as object[]).length > 0],
      () => 'connection refused',
    ),
  );
  expect(await responses[0]).toEqual([200, true]);
  server.child.kill('SIGTERM');
  expect(await exitCodeOf(server)).toBe(0);
  for (const response of await Promise.all(responses))
    expect([[200, true], [503, false], 'connection refused']).toContainEqual(response);
});

// Clause C.17.2
test('with DEMO=off, a database that contains demo tools is refused with a hint to run demo:clear', async () => {
  await expect(start({ DEMO: 'off' })).rejects.toThrow(/npm run demo:clear.*\[exit 1\]/s);
});

test('an invalid setting is reported in one sentence', async () => {
  await expect(start({ HOLD_HOURS: 'two' })).rejects.toThrow(
    /^HOLD_HOURS must be a whole number from 1 to 720, not "two"\. \[exit 1\]$/,
  );
});

// Clause C.10.10
test('a server does not start when its database is unreachable', async () => {
  const port = await freePort();
  await expect(start({ DATABASE_URL: `postgres://nobody@127.0.0.1:${port}/none` })).rejects.toThrow(
    /DATABASE_URL.*\[exit 1\]/s,
  );
});
