import { Writable } from 'node:stream';
import pino from 'pino';
import { callShop } from '../../support/api';
import { newAdmin, newCustomer } from '../../support/customers';
import { call } from '../../support/identity';
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

const text: string[] = [];
const sink = new Writable({
  write(chunk: Buffer, _encoding, done) {
    text.push(chunk.toString());
    done();
  },
});
const lines = () =>
  text
    .join('')
    .trim()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line);
const events = () => lines().filter(({ msg }) => msg !== 'request');
const requests = () => lines().filter(({ msg }) => msg === 'request');
const eventNames = () => events().map(({ msg }) => msg);

const FROM = '203.0.113.9';
const NETWORK_6 = '2001:db8:1:2::/64';
let shop: Awaited<ReturnType<typeof startShop>>;
beforeAll(async () => {
  const proxied = { TRUST_PROXY: '127.0.0.1', DEMO_EXPOSED: 'on' };
  const env = { RATE_LIMIT: 'on', DEMO: 'on', ADMIN_EMAILS: 'chief@mail.example', ...proxied };
  shop = await startShop({ env, logger: pino(sink) });
});
beforeEach(() => void (text.length = 0));
afterAll(() => shop.close());

const PASSWORD = 'never-in-a-log';
async function newPerson(email: string) {
  const { body } = await call(shop.origin, 'signUp', { email, password: PASSWORD, returnSecureToken: true }, FROM);
  return { email, id: String(body.localId), idToken: String(body.idToken) };
}

const send = (path: string, method: string, token?: string, body?: unknown, from = FROM) =>
  callShop(shop.origin, path, { method, token, body, headers: { 'x-forwarded-for': from } });

test('a write has its user and network on its line, a refusal its code too', async () => {
  const ann = await newCustomer(shop);
  await send('/profile', 'POST', ann.token, { address: 'a', phone: 'p', linkedIn: '', education: '' });
  await send('/order', 'POST', ann.token, {}, '2001:db8:1:2::7');
  await send('/order', 'GET');
  await send('/user', 'GET', ann.token);
  for (let n = 0; n < 61; n += 1) await send('/review', 'POST', ann.token, {});
  const { id: userId } = ann;
  expect(requests().slice(0, 4)).toMatchObject([
    { method: 'POST', route: '/profile', userId, network: FROM },
    { method: 'POST', route: '/order', status: 422, userId, network: NETWORK_6, code: 'validation' },
    { method: 'GET', route: '/order', status: 401, network: FROM, code: 'auth_required' },
    { method: 'GET', route: '/user', status: 403, userId, network: FROM, code: 'forbidden' },
  ]);
  expect(requests().at(-1)).toMatchObject({
    route: '/review',
    status: 429,
    userId,
    network: FROM,
    code: 'rate_limited',
  });
});

test('a signed-in read names nobody', async () => {
  const ann = await newCustomer(shop);
  await send(`/order?email=${ann.email}`, 'GET', ann.token);
  const [line] = requests();
  expect(line).toMatchObject({ route: '/order', status: 200 });
  expect([line!.userId, line!.network]).toEqual([undefined, undefined]);
});

test('a sign-in is logged with its user and network', async () => {
  const { email, id: userId, idToken } = await newPerson('ann.signs.in@mail.example');
  const { status } = await send(`/user/${email}`, 'PUT', idToken, { email });
  expect(status).toBe(200);
  expect(events()).toMatchObject([{ msg: 'signed in', userId, network: FROM }]);
  expect(requests().at(-1)).toMatchObject({ route: '/user/:email', userId, network: FROM });
});

test('a refused sign-in is logged with the code of the refusal', async () => {
  const { email, id: userId, idToken } = await newPerson('ann.refused@mail.example');
  await send(`/user/${email}`, 'PUT', 'nonsense', { email });
  await send('/user/other@mail.example', 'PUT', idToken, { email });
  expect(events()).toMatchObject([
    { msg: 'sign-in refused', network: FROM, code: 'token_invalid' },
    { msg: 'sign-in refused', userId, network: FROM, code: 'email_mismatch' },
  ]);
});

test('a wrong password is logged with the account it was tried on', async () => {
  const { email, id: userId } = await newPerson('ann.guessed@mail.example');
  const guess = (address: string) =>
    call(shop.origin, 'signInWithPassword', { email: address, password: 'wrong-one' }, FROM);
  await guess(email);
  await guess('nobody@mail.example');
  for (let n = 0; n < 10; n += 1) await guess(email);
  const code = 'INVALID_LOGIN_CREDENTIALS';
  const [known, unknown] = events();
  expect(known).toMatchObject({ msg: 'sign-in refused', userId, network: FROM, code });
  expect(unknown).toMatchObject({ msg: 'sign-in refused', network: FROM, code });
  expect(unknown!.userId).toBeUndefined();
  expect(events().at(-1)).toMatchObject({ msg: 'sign-in refused', code: 'TOO_MANY_ATTEMPTS_TRY_LATER' });
  expect(requests().at(-1)).toMatchObject({ status: 400, network: FROM, code: 'TOO_MANY_ATTEMPTS_TRY_LATER' });
});

test('a changed role is logged with who changed whose, once', async () => {
  const [admin, ann] = [await newAdmin(shop), await newCustomer(shop)];
  await send(`/user/admin/${ann.email}`, 'PUT', admin.token);
  await send(`/user/admin/${ann.email}`, 'PUT', admin.token);
  expect(events()).toMatchObject([
    { msg: 'role changed', userId: admin.id, targetId: ann.id, role: 'admin', network: FROM },
  ]);
});

test('an admin by ADMIN_EMAILS is logged as a changed role', async () => {
  const { email, id: targetId, idToken } = await newPerson('chief@mail.example');
  await send(`/user/${email}`, 'PUT', idToken, { email });
  await send(`/user/${email}`, 'PUT', idToken, { email });
  expect(eventNames()).toEqual(['role changed', 'signed in', 'signed in']);
  expect(events()[0]).toMatchObject({ targetId, role: 'admin', network: FROM });
});

test('a new password and a deleted account are logged', async () => {
  const { id: userId, idToken } = await newPerson('ann.leaves@mail.example');
  const change = { idToken, password: `${PASSWORD}-2`, returnSecureToken: true };
  const { body } = await call(shop.origin, 'update', change, FROM);
  await call(shop.origin, 'update', { idToken: body.idToken, displayName: 'Ann' }, FROM);
  await call(shop.origin, 'delete', { idToken: body.idToken }, FROM);
  const about = { userId, network: FROM };
  expect(events()).toMatchObject([
    { msg: 'session ended', ...about },
    { msg: 'account removed', ...about },
    { msg: 'session ended', ...about },
  ]);
  expect(requests().slice(-3)).toMatchObject([about, about, about]);
});

test('a webhook with a bad signature is logged', async () => {
  const headers = { 'stripe-signature': 't=1,v1=00', 'x-forwarded-for': FROM };
  await callShop(shop.origin, '/webhooks/stripe', { method: 'POST', body: { id: 'evt_1' }, headers });
  expect(events()).toMatchObject([{ msg: 'bad webhook signature', network: FROM, code: 'bad_signature' }]);
});

test('no line has an email address, a password or a token', async () => {
  const { email, idToken } = await newPerson('ann.private@mail.example');
  const { body } = await send(`/user/${email}`, 'PUT', idToken, { email });
  await send(`/user/${email}`, 'PUT', `${idToken}x`, { email });
  await call(shop.origin, 'signInWithPassword', { email, password: `${PASSWORD}-wrong` }, FROM);
  await call(shop.origin, 'signUp', { email, password: 5 }, FROM);
  await call(shop.origin, 'delete', { idToken }, FROM);
  const all = text.join('');
  expect(lines().length).toBeGreaterThan(6);
  for (const secret of ['ann.private', 'mail.example', PASSWORD, idToken, body.token!])
    expect(all).not.toContain(secret);
});
