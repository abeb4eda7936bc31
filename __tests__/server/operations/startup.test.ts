import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request, type IncomingMessage } from 'node:http';
import { postmasterPidOf, copyPreparedFolder, cleanUpDatabases } from '../../support/databaseProcess';
import { startServer, type RunningServer, launchServer } from '../../support/server';
import { DEMO_ACCOUNTS, DEMO_PASSWORD } from '../../../src/contract/demo';
import { expectEventually, waitUntil } from '../../support/wait';

describe('Starting a server', () => {
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
});

describe('Stopping a server', () => {
  cleanUpDatabases();

  /** Sends the headers of a sign-in and the beginning of its body. `finish` sends the rest. */
  async function sendHalfSignIn(origin: string) {
    const body = JSON.stringify({ email: DEMO_ACCOUNTS[0]!.email, password: DEMO_PASSWORD, returnSecureToken: true });
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      expect: '100-continue',
    };
    const path = '/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword';
    const call = request(origin + path, { method: 'POST', headers });
    const status = once(call, 'response').then(
      ([response]) => (response as IncomingMessage).resume().statusCode,
      () => 'cut off',
    );
    call.flushHeaders();
    await once(call, 'continue');
    call.write(body.slice(0, 9));
    return { status, finish: () => call.end(body.slice(9)) };
  }

  test('Ctrl-C under npm start, which sends the server two signals, finishes open requests and stops the database', async () => {
    const folder = await copyPreparedFolder();
    const { origin, child } = await startServer(
      { DATA_DIR: folder },
      { command: [process.execPath, 'scripts/start.mjs'], detached: true },
    );
    const ended = once(child, 'exit');
    const signIn = await sendHalfSignIn(origin);
    process.kill(-child.pid!, 'SIGINT');
    const isListening = () => fetch(`${origin}/healthz`).then(Boolean, () => false);
    await expectEventually(isListening, false);
    signIn.finish();
    expect(await signIn.status).toBe(200);
    expect(await ended).toEqual([0, null]);
    expect(postmasterPidOf(folder)).toBeUndefined();
  });

  test('SIGTERM to npm start, which npm does not forward, stops the server and the database', async () => {
    const folder = await copyPreparedFolder();
    const { child, origin } = await startServer({ DATA_DIR: folder }, { command: ['npm', 'start'] });
    child.kill('SIGTERM');
    await expectEventually(() => fetch(`${origin}/healthz`).then(Boolean, () => false), false);
    await expectEventually(() => postmasterPidOf(folder), undefined);
  });

  test('SIGHUP during startup leaves no PostgreSQL running', async () => {
    const folder = await copyPreparedFolder();
    const child = await launchServer({ DATA_DIR: folder });
    const ended = once(child, 'exit');
    await waitUntil(() => postmasterPidOf(folder) !== undefined);
    child.kill('SIGHUP');
    expect(await ended).toEqual([0, null]);
    expect(postmasterPidOf(folder)).toBeUndefined();
  });

  test('SIGTERM aborts a request whose body never ends, and stops the database', async () => {
    const folder = await copyPreparedFolder();
    const { origin, child } = await startServer({ DATA_DIR: folder });
    const ended = once(child, 'exit');
    const signIn = await sendHalfSignIn(origin);
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    expect(await signIn.status).toBe('cut off');
    expect(postmasterPidOf(folder)).toBeUndefined();
  });
});
