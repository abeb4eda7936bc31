import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { FIREBASE_ENV } from '../../support/googleTokens';
import { freePort, startServer } from '../../support/server';

const STRIPE = { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_PUBLISHABLE_KEY: 'pk_test_1' };
const folder = mkdtempSync(join(tmpdir(), 'forgeline-refused-'));
const dataDir = join(folder, 'data');
let fakeDatabase: Server;
let connections = 0;
beforeAll(async () => {
  fakeDatabase = createServer((socket) => {
    connections += 1;
    socket.destroy();
  }).listen(0, '127.0.0.1');
  await once(fakeDatabase, 'listening');
});
afterAll(() => {
  fakeDatabase.close();
  rmSync(folder, { recursive: true, force: true });
});

/** @returns what the start printed, how many connections the database got so far, and whether a data folder exists */
async function tryToStart(env: Record<string, string>) {
  const output = await startServer({ DATA_DIR: dataDir, ...env }).then(
    (server) => server.stop().then(() => 'it started'),
    (error: Error) => error.message,
  );
  return { output, touched: { connections, folder: existsSync(dataDir) } };
}

const UNTOUCHED = { connections: 0, folder: false };

describe('A server with invalid settings', () => {
  it.each([
    ['DEMO=on together with Stripe', { DEMO: 'on', ...STRIPE }, /^DEMO can't be used together with Stripe/],
    ['a demo on a network IP address', { HOST: '0.0.0.0' }, /^HOST=0\.0\.0\.0 lets others reach the demo/],
  ])('exits before it connects to a database or creates one: %s', async (_settings, env, sentence) => {
    const { port } = fakeDatabase.address() as AddressInfo;
    const databaseSettings: Record<string, string>[] = [{}, { DATABASE_URL: `postgres://shop@127.0.0.1:${port}/shop` }];
    for (const databaseEnv of databaseSettings) {
      const { output, touched } = await tryToStart({ DEMO: 'on', ...databaseEnv, ...env });
      expect(output).toMatch(sentence);
      expect(output).toMatch(/^[^\n]+\. \[exit 1\]$/);
      expect(touched).toEqual(UNTOUCHED);
    }
  });
});

test('control: a server with valid settings connects to the database', async () => {
  const { port } = fakeDatabase.address() as AddressInfo;
  const { touched } = await tryToStart({ DATABASE_URL: `postgres://shop@127.0.0.1:${port}/shop` });
  expect(touched.connections).toBeGreaterThan(0);
});

describe('A server with questionable settings', () => {
  let testDatabase: TestDatabase;
  beforeAll(async () => void (testDatabase = await createTestDatabase()));
  afterAll(() => testDatabase.drop());

  const outputOf = async (env: Record<string, string>) => {
    const server = await startServer({ ...testDatabase.env, ...env });
    await server.stop();
    return server.output();
  };

  it("logs at each start that it uses Stripe's test keys on a public origin", async () => {
    const env = { ...STRIPE, ...FIREBASE_ENV, PUBLIC_URL: 'https://shop.example' };
    for (const _start of [1, 2]) expect(await outputOf(env)).toContain('STRIPE_SECRET_KEY is a test key');
  });

  it("sets the test mode of the payment page only if it uses Stripe's test keys on a public origin", async () => {
    const testModeOf = async (env: Record<string, string>) => {
      const port = String(await freePort());
      const server = await startServer({
        ...testDatabase.env,
        PORT: port,
        ...FIREBASE_ENV,
        ...STRIPE,
        ...env,
      });
      const paymentPage = `http://127.0.0.1:${port}/dashboard/payment/1`;
      const html = await (await fetch(paymentPage, { headers: { accept: 'text/html' } })).text();
      await server.stop();
      return /"testMode":(\w+)/.exec(html)?.[1];
    };
    const PUBLIC_URL = 'https://shop.example';
    const liveKeys = { STRIPE_SECRET_KEY: 'sk_live_1', STRIPE_PUBLISHABLE_KEY: 'pk_live_1' };
    expect(await testModeOf({ PUBLIC_URL })).toBe('true');
    expect(await testModeOf({ PUBLIC_URL, ...liveKeys })).toBe('false');
    expect(await testModeOf({})).toBe('false');
  });

  it('logs that its demo can be reached from other machines', async () => {
    expect(await outputOf({ DEMO: 'on', DEMO_EXPOSED: 'on' })).toContain('DEMO_EXPOSED=on lets everyone');
  });
});
