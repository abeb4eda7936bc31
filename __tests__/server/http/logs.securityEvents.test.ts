import { Writable } from 'node:stream';
import pino from 'pino';
import { callShop } from '../../support/api';
import { newAdmin, newCustomer } from '../../support/customers';
import { callAccounts } from '../../support/identity';
import { startShop } from '../../support/shop';

interface Line {
  msg: string;
  reqId: string;
  method?: string;
  route?: string;
  status?: number;
  userId?: string;
  targetId?: string;
  network?: string;
  code?: string;
  role?: string;
}

const logText: string[] = [];
const sink = new Writable({
  write(chunk: Buffer, _encoding, done) {
    logText.push(chunk.toString());
    done();
  },
});
const lines = () =>
  logText
    .join('')
    .trim()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line);
const events = () => lines().filter(({ msg }) => msg !== 'request');
const requests = () => lines().filter(({ msg }) => msg === 'request');
const eventNames = () => events().map(({ msg }) => msg);

const CLIENT_ADDRESS = '203.0.113.9';
const IPV6_NETWORK = '2001:db8:1:2::/64';
let shop: Awaited<ReturnType<typeof startShop>>;
beforeAll(async () => {
  const PROXY_ENV = { TRUST_PROXY: '127.0.0.1', DEMO_EXPOSED: 'on' };
  const env = { RATE_LIMIT: 'on', DEMO: 'on', ADMIN_EMAILS: 'chief@mail.example', ...PROXY_ENV };
  shop = await startShop({ env, logger: pino(sink) });
});
beforeEach(() => void (logText.length = 0));
afterAll(() => shop.close());

const PASSWORD = 'never-in-a-log';
async function signUp(email: string) {
  const { body } = await callAccounts(
    shop.origin,
    'signUp',
    { email, password: PASSWORD, returnSecureToken: true },
    CLIENT_ADDRESS,
  );
  return { email, id: String(body.localId), idToken: String(body.idToken) };
}

const send = (path: string, method: string, token?: string, body?: unknown, address = CLIENT_ADDRESS) =>
  callShop(shop.origin, path, { method, token, body, headers: { 'x-forwarded-for': address } });

test('write requests and rejected reads are logged with their user and IP network, and with the error code of a rejection', async () => {
  const ann = await newCustomer(shop);
  await send('/profile', 'POST', ann.token, { address: 'a', phone: 'p', linkedIn: '', education: '' });
  await send('/order', 'POST', ann.token, {}, '2001:db8:1:2::7');
  await send('/order', 'GET');
  await send('/user', 'GET', ann.token);
  for (let n = 0; n < 61; n += 1) await send('/review', 'POST', ann.token, {});
  const { id: userId } = ann;
  expect(requests().slice(0, 4)).toMatchObject([
    { method: 'POST', route: '/profile', userId, network: CLIENT_ADDRESS },
    { method: 'POST', route: '/order', status: 422, userId, network: IPV6_NETWORK, code: 'validation' },
    { method: 'GET', route: '/order', status: 401, network: CLIENT_ADDRESS, code: 'auth_required' },
    { method: 'GET', route: '/user', status: 403, userId, network: CLIENT_ADDRESS, code: 'forbidden' },
  ]);
  expect(requests().at(-1)).toMatchObject({
    route: '/review',
    status: 429,
    userId,
    network: CLIENT_ADDRESS,
    code: 'rate_limited',
  });
});

test('a successful read request is logged without its user and IP network', async () => {
  const ann = await newCustomer(shop);
  await send(`/order?email=${ann.email}`, 'GET', ann.token);
  const [line] = requests();
  expect(line).toMatchObject({ route: '/order', status: 200 });
  expect([line!.userId, line!.network]).toEqual([undefined, undefined]);
});

test('a sign-in is logged with its user and IP network', async () => {
  const { email, id: userId, idToken } = await signUp('ann.signs.in@mail.example');
  const { status } = await send(`/user/${email}`, 'PUT', idToken, { email });
  expect(status).toBe(200);
  expect(events()).toMatchObject([{ msg: 'signed in', userId, network: CLIENT_ADDRESS }]);
  expect(requests().at(-1)).toMatchObject({ route: '/user/:email', userId, network: CLIENT_ADDRESS });
});

test('a refused sign-in is logged with its error code', async () => {
  const { email, id: userId, idToken } = await signUp('ann.refused@mail.example');
  await send(`/user/${email}`, 'PUT', 'nonsense', { email });
  await send('/user/other@mail.example', 'PUT', idToken, { email });
  expect(events()).toMatchObject([
    { msg: 'sign-in refused', network: CLIENT_ADDRESS, code: 'token_invalid' },
    { msg: 'sign-in refused', userId, network: CLIENT_ADDRESS, code: 'email_mismatch' },
  ]);
});

test('a failed password sign-in is logged with the user id if the account exists', async () => {
  const { email, id: userId } = await signUp('ann.guessed@mail.example');
  const guess = (address: string) =>
    callAccounts(shop.origin, 'signInWithPassword', { email: address, password: 'wrong-one' }, CLIENT_ADDRESS);
  await guess(email);
  await guess('nobody@mail.example');
  for (let n = 0; n < 10; n += 1) await guess(email);
  const code = 'INVALID_LOGIN_CREDENTIALS';
  const [wrongPassword, unknownEmail] = events();
  expect(wrongPassword).toMatchObject({ msg: 'sign-in refused', userId, network: CLIENT_ADDRESS, code });
  expect(unknownEmail).toMatchObject({ msg: 'sign-in refused', network: CLIENT_ADDRESS, code });
  expect(unknownEmail!.userId).toBeUndefined();
  expect(events().at(-1)).toMatchObject({ msg: 'sign-in refused', code: 'TOO_MANY_ATTEMPTS_TRY_LATER' });
  expect(requests().at(-1)).toMatchObject({
    status: 400,
    network: CLIENT_ADDRESS,
    code: 'TOO_MANY_ATTEMPTS_TRY_LATER',
  });
});

test('a role change is logged once, with the admin who made it and the user whom it concerns', async () => {
  const [admin, ann] = [await newAdmin(shop), await newCustomer(shop)];
  await send(`/user/admin/${ann.email}`, 'PUT', admin.token);
  await send(`/user/admin/${ann.email}`, 'PUT', admin.token);
  expect(events()).toMatchObject([
    { msg: 'role changed', userId: admin.id, targetId: ann.id, role: 'admin', network: CLIENT_ADDRESS },
  ]);
});

test('a promotion by ADMIN_EMAILS is logged as a role change', async () => {
  const { email, id: targetId } = await signUp('chief@mail.example');
  await shop.deps.db.$client.query('update embedded_identity.accounts set email_verified = true where email = $1', [
    email,
  ]);
  const { body } = await callAccounts(shop.origin, 'signInWithPassword', { email, password: PASSWORD });
  const idToken = String(body.idToken);
  await send(`/user/${email}`, 'PUT', idToken, { email });
  await send(`/user/${email}`, 'PUT', idToken, { email });
  expect(eventNames()).toEqual(['role changed', 'signed in', 'signed in']);
  expect(events()[0]).toMatchObject({ targetId, role: 'admin', network: CLIENT_ADDRESS });
});

test('a password change and an account deletion are logged', async () => {
  const { id: userId, idToken } = await signUp('ann.leaves@mail.example');
  const change = { idToken, password: `${PASSWORD}-2`, returnSecureToken: true };
  const { body } = await callAccounts(shop.origin, 'update', change, CLIENT_ADDRESS);
  await callAccounts(shop.origin, 'update', { idToken: body.idToken, displayName: 'Ann' }, CLIENT_ADDRESS);
  await callAccounts(shop.origin, 'delete', { idToken: body.idToken }, CLIENT_ADDRESS);
  const expectedFields = { userId, network: CLIENT_ADDRESS };
  expect(events()).toMatchObject([
    { msg: 'session ended', ...expectedFields },
    { msg: 'account removed', ...expectedFields },
    { msg: 'session ended', ...expectedFields },
  ]);
  expect(requests().slice(-3)).toMatchObject([expectedFields, expectedFields, expectedFields]);
});

test('a webhook with a bad signature is logged', async () => {
  const headers = { 'stripe-signature': 't=1,v1=00', 'x-forwarded-for': CLIENT_ADDRESS };
  await callShop(shop.origin, '/webhooks/stripe', { method: 'POST', body: { id: 'evt_1' }, headers });
  expect(events()).toMatchObject([{ msg: 'bad webhook signature', network: CLIENT_ADDRESS, code: 'bad_signature' }]);
});

test('no log line contains an email, a password or a token', async () => {
  const { email, idToken } = await signUp('ann.private@mail.example');
  const { body } = await send(`/user/${email}`, 'PUT', idToken, { email });
  await send(`/user/${email}`, 'PUT', `${idToken}x`, { email });
  await callAccounts(shop.origin, 'signInWithPassword', { email, password: `${PASSWORD}-wrong` }, CLIENT_ADDRESS);
  await callAccounts(shop.origin, 'signUp', { email, password: 5 }, CLIENT_ADDRESS);
  await callAccounts(shop.origin, 'delete', { idToken }, CLIENT_ADDRESS);
  const all = logText.join('');
  expect(lines().length).toBeGreaterThan(6);
  for (const secret of ['ann.private', 'mail.example', PASSWORD, idToken, body.token!])
    expect(all).not.toContain(secret);
});
