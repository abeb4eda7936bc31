import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase } from '../../support/database';
import { FIREBASE_ENV } from '../../support/googleTokens';
import { startServer } from '../../support/server';
import { startShop } from '../../support/shop';

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

test('a server with invalid settings exits before it connects to a database or creates one', async () => {
  const { port } = fakeDatabase.address() as AddressInfo;
  const databaseSettings: Record<string, string>[] = [{}, { DATABASE_URL: `postgres://shop@127.0.0.1:${port}/shop` }];
  for (const databaseEnv of databaseSettings) {
    const { output, touched } = await tryToStart({ DEMO: 'on', ...databaseEnv, ...STRIPE });
    expect(output).toMatch(/^DEMO can't be used together with Stripe[^\n]+\. \[exit 1\]$/);
    expect(touched).toEqual(UNTOUCHED);
  }
});

test('control: a server with valid settings connects to the database', async () => {
  const { port } = fakeDatabase.address() as AddressInfo;
  const { touched } = await tryToStart({ DATABASE_URL: `postgres://shop@127.0.0.1:${port}/shop` });
  expect(touched.connections).toBeGreaterThan(0);
});

const TEST_KEYS_IN_PUBLIC = { ...STRIPE, ...FIREBASE_ENV, PUBLIC_URL: 'https://shop.example' };

test("a server logs that it uses Stripe's test keys on a public origin", async () => {
  const database = await createTestDatabase();
  const server = await startServer({ ...database.env, ...TEST_KEYS_IN_PUBLIC });
  await server.stop();
  expect(server.output()).toContain('STRIPE_SECRET_KEY is a test key');
  await database.drop();
});

test("the payment page is in test mode only with Stripe's test keys on a public origin", async () => {
  const testModeOf = async (env: Record<string, string>) => {
    const shop = await startShop({ env: { ...STRIPE, ...FIREBASE_ENV, RATE_LIMIT: 'on', ...env } });
    const { body } = await shop.app.inject({ path: '/dashboard/payment/1', headers: { accept: 'text/html' } });
    await shop.close();
    return /"testMode":(\w+)/.exec(body)?.[1];
  };
  const liveKeys = { STRIPE_SECRET_KEY: 'sk_live_1', STRIPE_PUBLISHABLE_KEY: 'pk_live_1' };
  expect(await testModeOf(TEST_KEYS_IN_PUBLIC)).toBe('true');
  expect(await testModeOf({ ...TEST_KEYS_IN_PUBLIC, ...liveKeys })).toBe('false');
  expect(await testModeOf({})).toBe('false');
});
