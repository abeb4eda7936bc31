import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { callShop, putUser } from '../../support/api';
import { createTestDatabase, query, type TestDatabase, testPostgresConfig } from '../../support/database';
import { findInFiles, findInTables, findInText, type Secrets } from './findSecrets';
import { startServer, type RunningServer } from '../../support/server';
import { CARDS, confirmPayment } from '../../support/cards';
import { expectEventually } from '../../support/wait';
import { callAccounts } from '../../support/customers';

const randomSecret = () => `Zq9-${randomBytes(12).toString('hex')}`;
const SETTING_SECRETS = {
  'Stripe key': `sk_test_${randomSecret()}`,
  'webhook secret': `whsec_${randomSecret()}`,
  'database password': randomSecret(),
  'session secret': `${randomSecret()}${randomSecret()}`,
  'metrics token': randomSecret(),
};
const USER_SECRETS: Secrets = {
  password: `${randomSecret()}"%&`,
  'wrong password': randomSecret(),
  'card number': CARDS.authenticationRequired,
  'declined card': CARDS.declined,
};

let database: TestDatabase;
let url: string;
let logs = '';
let server: RunningServer;

/** If the database needs no password, the URL contains an invented one, which PostgreSQL ignores. */
beforeAll(async () => {
  database = await createTestDatabase();
  const { password } = testPostgresConfig();
  if (password) SETTING_SECRETS['database password'] = String(password);
  url = password ? database.url : database.url.replace('@', `:${SETTING_SECRETS['database password']}@`);
});
afterAll(() => database.drop());

async function withServer(env: Record<string, string>, work: () => Promise<void>) {
  const commonEnv = {
    DATABASE_URL: url,
    ACCESS_TOKEN_SECRET: SETTING_SECRETS['session secret'],
    METRICS_TOKEN: SETTING_SECRETS['metrics token'],
    LOG_LEVEL: 'trace',
    DEMO: 'off',
  };
  server = await startServer({ ...commonEnv, ...env });
  try {
    await work();
  } finally {
    await server.stop();
    logs += server.output();
  }
}

const callIdentity = (call: string, body: object) =>
  callAccounts(server.origin, call, { returnSecureToken: true, ...body });

const email = `${randomUUID()}@mail.example`;

/** Signs up or in, and records every token. */
async function signInAndRecordTokens(call: string) {
  const { body } = await callIdentity(call, { email, password: USER_SECRETS['password'] });
  const signedIn = await putUser(server.origin, email, String(body['idToken']));
  expect(signedIn.status).toBe(200);
  USER_SECRETS[`id token of ${call}`] = String(body['idToken']);
  USER_SECRETS[`refresh token of ${call}`] = String(body['refreshToken']);
  USER_SECRETS[`access token of ${call}`] = String(signedIn.body.token);
  return String(signedIn.body.token);
}

async function placeOrder(token: string) {
  const [tool] = await query<{ id: string; name: string }>(
    `insert into tools (name, price, minimum_order_quantity, available_quantity, stocked_quantity, description, img)
     values ('${randomUUID()}', 7, 1, 9, 9, 'x', '/t.svg') returning id, name`,
    [],
    database.url,
  );
  const body = { toolId: tool!.id, productName: tool!.name, totalQuantity: 1, address: '1 Main', phone: '555 0100' };
  const order = await callShop(server.origin, '/order', { method: 'POST', token, body });
  expect(order.status).toBe(201);
  return String(order.body['_id']);
}

const createIntent = (token: string, order: string) =>
  callShop(server.origin, `/create-payment-intent?order=${order}`, { method: 'POST', token, body: { totalPrice: 7 } });

const TERMINATE_CONNECTIONS = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`;

/** Causes failures: a wrong password, an invalid token, body and signature, and a lost database connection. */
async function causeFailures(token: string) {
  await callIdentity('signInWithPassword', { email, password: USER_SECRETS['wrong password'] });
  await putUser(server.origin, email, `${USER_SECRETS['id token of signUp']}x`);
  await callShop(server.origin, '/order', { method: 'POST', token, body: { password: USER_SECRETS['password'] } });
  const authorization = `Bearer ${SETTING_SECRETS['metrics token']}`;
  expect((await fetch(`${server.origin}/metrics`, { headers: { authorization } })).status).toBe(200);
  const raw = JSON.stringify({ id: 'evt_1', object: 'event', type: 'x', data: { object: {} } });
  const at = Math.floor(Date.now() / 1000);
  const digest = createHmac('sha256', SETTING_SECRETS['webhook secret']).update(`${at}.${raw}`).digest('hex');
  for (const signature of [digest, 'forged']) {
    const headers = { 'stripe-signature': `t=${at},v1=${signature}`, 'content-type': 'application/json' };
    await fetch(`${server.origin}/webhooks/stripe`, { method: 'POST', headers, body: raw });
  }
  await query(TERMINATE_CONNECTIONS, [], database.url);
  await callShop(server.origin, '/order', { token });
}

async function pay(token: string) {
  const { body } = await createIntent(token, await placeOrder(token));
  const secret = String(body['clientSecret']);
  USER_SECRETS['client secret'] = secret;
  for (const number of [USER_SECRETS['declined card']!, USER_SECRETS['card number']!])
    await confirmPayment(server.origin, secret, number);
}

test('secrets appear only in the tables meant for them, and never in logs or browser files', async () => {
  const keys = { STRIPE_SECRET_KEY: SETTING_SECRETS['Stripe key'], STRIPE_PUBLISHABLE_KEY: 'pk_test_1' };
  await withServer({ ...keys, STRIPE_WEBHOOK_SECRET: SETTING_SECRETS['webhook secret'] }, async () => {
    const token = await signInAndRecordTokens('signUp');
    expect((await createIntent(token, await placeOrder(token))).status).toBe(503);
    await causeFailures(token);
    for (const path of ['/', '/login', '/openapi.json', '/readyz'])
      expect(findInText(path, await (await fetch(server.origin + path)).text(), SETTING_SECRETS)).toEqual([]);
  });
  await withServer({}, async () => {
    await pay(await signInAndRecordTokens('signInWithPassword'));
    const undelivered = 'select from embedded_stripe.events where delivered_at is null';
    await expectEventually(() => query(undelivered, [], database.url), []);
  });
  const allSecrets = { ...SETTING_SECRETS, ...USER_SECRETS };
  expect(Object.keys(allSecrets)).toHaveLength(16);
  for (const message of [
    '"route":"/create-payment-intent"',
    'request failed, a retry may succeed',
    'background task failed',
  ])
    expect(logs).toContain(message);
  expect(findInText('the log', logs, allSecrets)).toEqual([]);
  expect(findInFiles(join(__dirname, '../../../dist/client'), allSecrets).found).toEqual([]);
  expect(await findInTables(database.url, allSecrets)).toEqual(
    ['embedded_stripe.events', 'embedded_stripe.idempotency', 'embedded_stripe.intents'].map(
      (table) => `client secret in ${table}`,
    ),
  );
}, 120_000);

test('an error about an unusable database does not contain its password', async () => {
  const wrong = startServer({ DATABASE_URL: `${url.replace(/(@[^/]*\/)[^?]*/, '$1nowhere')}`, LOG_LEVEL: 'trace' });
  const sentence = await wrong.then(
    () => '',
    (error: Error) => error.message,
  );
  expect(sentence).toContain('DATABASE_URL names a database that cannot be used');
  expect(findInText('the sentence', sentence, SETTING_SECRETS)).toEqual([]);
});
