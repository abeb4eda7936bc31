import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { callShop, putUser } from '../../support/api';
import { freshDatabase, query, type TestDatabase, testServer } from '../../support/database';
import { inFiles, inTables, inText, type Secrets } from './findSecrets';
import { startServer, type RunningServer } from '../../support/server';
import { cardForm, CARDS } from '../../support/cards';

const odd = () => `Zq9-${randomBytes(12).toString('hex')}`;
const OF_SETTINGS = {
  'Stripe key': `sk_test_${odd()}`,
  'webhook secret': `whsec_${odd()}`,
  'database password': odd(),
  'session secret': `${odd()}${odd()}`,
  'metrics token': odd(),
};
const OF_PEOPLE: Secrets = {
  password: `${odd()}"%&`,
  'wrong password': odd(),
  'card number': CARDS.asks,
  'declined card': CARDS.declined,
};

let database: TestDatabase;
let url: string;
let logs = '';
let server: RunningServer;

/** The database's own password; where it trusts whoever comes, one that nobody asks for. */
beforeAll(async () => {
  database = await freshDatabase();
  const { password } = testServer();
  if (password) OF_SETTINGS['database password'] = String(password);
  url = password ? database.url : database.url.replace('@', `:${OF_SETTINGS['database password']}@`);
});
afterAll(() => database.drop());

async function run(env: Record<string, string>, work: () => Promise<void>) {
  const common = {
    DATABASE_URL: url,
    ACCESS_TOKEN_SECRET: OF_SETTINGS['session secret'],
    METRICS_TOKEN: OF_SETTINGS['metrics token'],
    LOG_LEVEL: 'trace',
    DEMO: 'off',
  };
  server = await startServer({ ...common, ...env });
  try {
    await work();
  } finally {
    await server.stop();
    logs += server.said();
  }
}

const identity = (call: string, body: object) =>
  callShop(server.origin, `/identitytoolkit.googleapis.com/v1/accounts:${call}?key=any`, {
    method: 'POST',
    body: { returnSecureToken: true, ...body },
  });

const email = `${randomUUID()}@mail.example`;

/** Signs up or in, with all that is handed out on the way noted. */
async function enter(call: string) {
  const { body } = await identity(call, { email, password: OF_PEOPLE['password'] });
  const signedIn = await putUser(server.origin, email, String(body['idToken']));
  expect(signedIn.status).toBe(200);
  OF_PEOPLE[`id token of ${call}`] = String(body['idToken']);
  OF_PEOPLE[`refresh token of ${call}`] = String(body['refreshToken']);
  OF_PEOPLE[`access token of ${call}`] = String(signedIn.body.token);
  return String(signedIn.body.token);
}

async function newOrder(token: string) {
  const [tool] = await query<{ id: string; name: string }>(
    `insert into tools (name, price, minimum_order_quantity, available_quantity, stocked_quantity, description, img)
     values ('${randomUUID()}', 7, 1, 9, 9, 'x', '/t.svg') returning id, name`,
    [],
    database.url,
  );
  const body = { toolId: tool!.id, productName: tool!.name, totalQuantity: 1, address: '1 Main', phone: '555' };
  const order = await callShop(server.origin, '/order', { method: 'POST', token, body });
  expect(order.status).toBe(201);
  return String(order.body['_id']);
}

const ask = (token: string, order: string) =>
  callShop(server.origin, `/create-payment-intent?order=${order}`, { method: 'POST', token, body: { totalPrice: 7 } });

const CUT_OFF = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`;

/** What fails: a login, a token, a body, a signature, the database in the middle of it. */
async function failures(token: string) {
  await identity('signInWithPassword', { email, password: OF_PEOPLE['wrong password'] });
  await putUser(server.origin, email, `${OF_PEOPLE['id token of signUp']}x`);
  await callShop(server.origin, '/order', { method: 'POST', token, body: { password: OF_PEOPLE['password'] } });
  const authorization = `Bearer ${OF_SETTINGS['metrics token']}`;
  expect((await fetch(`${server.origin}/metrics`, { headers: { authorization } })).status).toBe(200);
  const raw = JSON.stringify({ id: 'evt_1', object: 'event', type: 'x', data: { object: {} } });
  const at = Math.floor(Date.now() / 1000);
  const sum = createHmac('sha256', OF_SETTINGS['webhook secret']).update(`${at}.${raw}`).digest('hex');
  for (const signature of [sum, 'forged']) {
    const headers = { 'stripe-signature': `t=${at},v1=${signature}`, 'content-type': 'application/json' };
    await fetch(`${server.origin}/webhooks/stripe`, { method: 'POST', headers, body: raw });
  }
  await query(CUT_OFF, [], database.url);
  await callShop(server.origin, '/order', { token });
}

async function stripe(path: string, form: Record<string, string>) {
  const headers = { authorization: 'Bearer pk_test_forgeline' };
  const sent = { method: 'POST', headers, body: new URLSearchParams(form) };
  return (await (await fetch(`${server.origin}/v1/${path}`, sent)).json()) as { id: string };
}

async function pay(token: string) {
  const { body } = await ask(token, await newOrder(token));
  const secret = String(body['clientSecret']);
  OF_PEOPLE['client secret'] = secret;
  const [id] = secret.split('_secret_');
  for (const number of [OF_PEOPLE['declined card']!, OF_PEOPLE['card number']!]) {
    const method = await stripe('payment_methods', cardForm(number));
    await stripe(`payment_intents/${id}/confirm`, { client_secret: secret, payment_method: method.id });
  }
}

test('secrets stay out of the log at its fullest, of all the browser can get, and of every table but their own', async () => {
  const keys = { STRIPE_SECRET_KEY: OF_SETTINGS['Stripe key'], STRIPE_PUBLISHABLE_KEY: 'pk_test_1' };
  await run({ ...keys, STRIPE_WEBHOOK_SECRET: OF_SETTINGS['webhook secret'] }, async () => {
    const token = await enter('signUp');
    expect((await ask(token, await newOrder(token))).status).toBe(503);
    await failures(token);
    for (const path of ['/', '/login', '/openapi.json', '/readyz'])
      expect(inText(path, await (await fetch(server.origin + path)).text(), OF_SETTINGS)).toEqual([]);
  });
  await run({}, async () => {
    await pay(await enter('signInWithPassword'));
    await sleep(1_000);
  });
  const all = { ...OF_SETTINGS, ...OF_PEOPLE };
  expect(Object.keys(all)).toHaveLength(16);
  for (const told of ['"route":"/create-payment-intent"', 'refused for now', 'trouble in the background'])
    expect(logs).toContain(told);
  expect(inText('the log', logs, all)).toEqual([]);
  expect(inFiles(join(__dirname, '../../../dist/client'), all).found).toEqual([]);
  expect(await inTables(database.url, all)).toEqual(
    ['sandbox_events', 'sandbox_idempotency', 'sandbox_intents'].map((table) => `client secret in ${table}`),
  );
}, 120_000);

test('a database that cannot be used is named without its password', async () => {
  const wrong = startServer({ DATABASE_URL: `${url.replace(/(@[^/]*\/)[^?]*/, '$1nowhere')}`, LOG_LEVEL: 'trace' });
  const sentence = await wrong.then(
    () => '',
    (error: Error) => error.message,
  );
  expect(sentence).toContain('DATABASE_URL names a database that cannot be used');
  expect(inText('the sentence', sentence, OF_SETTINGS)).toEqual([]);
});

test('whoever looks finds what was planted: in a line, in a packed file, in a row', async () => {
  const secrets = { planted: `${odd()}"%` };
  const folder = mkdtempSync(join(tmpdir(), 'forgeline-planted-'));
  writeFileSync(join(folder, 'main.js.gz'), gzipSync(`const key = ${JSON.stringify(secrets.planted)};`));
  expect(inFiles(folder, secrets)).toEqual({ found: ['planted in main.js.gz'], files: 1 });
  rmSync(folder, { recursive: true });
  const line = JSON.stringify({ msg: `Basic ${Buffer.from(secrets.planted).toString('base64')}` });
  expect(inText('the log', line, secrets)).toEqual(['planted in the log']);
  await query('insert into sandbox_idempotency values ($1, $1, 1, $2, now())', ['k', secrets], database.url);
  expect(await inTables(database.url, secrets)).toEqual(['planted in sandbox_idempotency']);
});
