import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { postmasterOf } from '../../support/databaseProcess';
import { freePort, startServer, type RunningServer } from '../../support/server';

const folder = mkdtempSync(join(tmpdir(), 'forgeline-house-'));
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
const tools = async ({ origin }: RunningServer) => (await (await fetch(`${origin}/tool`)).json()) as Tool[];
const ended = async ({ child }: RunningServer) =>
  (child.exitCode === null && child.signalCode === null ? await once(child, 'exit') : [child.exitCode])[0] as number;

// Clauses C.1.1, C.10.1
test('with no settings the server brings its own database, sells the demo and says so in plain lines', async () => {
  const server = await start({ LOG_LEVEL: 'error' });
  const lines = server.said().split('\n');
  expect(lines[0]).toBe(`Forgeline is ready at ${server.origin}`);
  expect(server.said()).toContain('admin@forgeline.example');
  expect(server.said()).toContain('customer@forgeline.example');
  expect(server.said()).toContain('forgeline-demo');
  expect((await tools(server)).length).toBeGreaterThanOrEqual(24);
});

test('a second server on the same folder says so and exits 1', async () => {
  await expect(start()).rejects.toThrow(/^Another server is running on DATA_DIR .*\[exit 1\]$/s);
});

test('a port that is taken is said in one sentence, and the database is not left running', async () => {
  const [first] = started;
  const other = mkdtempSync(join(tmpdir(), 'forgeline-port-'));
  const port = new URL(first!.origin).port;
  await expect(start({ DATA_DIR: other, PORT: port })).rejects.toThrow(/^PORT is taken: .*\[exit 1\]$/s);
  expect([existsSync(join(other, 'cluster')), postmasterOf(other)]).toEqual([true, undefined]);
  rmSync(other, { recursive: true, force: true });
});

test('killed with -9 and started again it loses nothing', async () => {
  const [first] = started;
  const before = await tools(first!);
  first!.child.kill('SIGKILL');
  await ended(first!);
  const again = await start();
  expect(await tools(again)).toEqual(before);
});

test('SIGTERM finishes what is under way and exits 0', async () => {
  const server = started.at(-1)!;
  const asked = Array.from({ length: 20 }, () =>
    fetch(`${server.origin}/tool`).then(
      async (response) => [response.status, ((await response.json()) as object[]).length > 0],
      () => 'not let in',
    ),
  );
  expect(await asked[0]).toEqual([200, true]);
  server.child.kill('SIGTERM');
  expect(await ended(server)).toBe(0);
  for (const answer of await Promise.all(asked))
    expect([[200, true], [503, false], 'not let in']).toContainEqual(answer);
});

// Clause C.17.2
test('with DEMO=off, a database that still sells demo tools is refused by name of the way out', async () => {
  await expect(start({ DEMO: 'off' })).rejects.toThrow(/npm run demo:clear.*\[exit 1\]/s);
});

test('a wrong setting stops the start with one sentence', async () => {
  await expect(start({ HOLD_HOURS: 'two' })).rejects.toThrow(
    /^HOLD_HOURS must be a whole number from 1 to 720, not "two"\. \[exit 1\]$/,
  );
});

test('a database address that cannot be read is named, and nothing of it is said', async () => {
  const refused = start({ DATABASE_URL: 'postgres://u:pa#ss@h/db' });
  await expect(refused).rejects.toThrow(/^DATABASE_URL [^\n]*%23[^\n]*\. \[exit 1\]$/);
  await expect(refused).rejects.not.toThrow(/u:|pa#|ss@/);
});

// Clause C.10.10
test('a database that cannot be reached stops the start', async () => {
  const port = await freePort();
  await expect(start({ DATABASE_URL: `postgres://nobody@127.0.0.1:${port}/none` })).rejects.toThrow(
    /DATABASE_URL.*\[exit 1\]/s,
  );
});
