import { Writable } from 'node:stream';
import pino from 'pino';
import { DrizzleQueryError } from 'drizzle-orm';
import { bearer, newCustomer, callAccounts } from '../../support/customers';
import { startShop } from '../../support/shop';
import { callShop } from '../../support/api';
import { createLogger } from '../../../server/http/logging';

describe('The log of requests', () => {
  type Line = {
    msg: string;
    method?: string;
    route?: string;
    status?: number;
    ms?: number;
    orderId?: string;
    userId?: string;
  };

  let lines: Line[] = [];
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(
        ...chunk
          .toString()
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as Line),
      );
      done();
    },
  });
  let shop: Awaited<ReturnType<typeof startShop>>;
  beforeAll(async () => {
    shop = await startShop({ logger: pino(sink), env: { DEMO_EXPOSED: 'on' } });
  });
  beforeEach(() => {
    lines = [];
  });
  afterAll(() => shop.close());

  const get = async (path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(shop.origin + path, { headers });
    await response.text();
  };
  /** Without reads that took 500 ms, which are logged too. A slow machine can need that long for its first page. */
  const requests = () =>
    lines
      .filter(({ msg, status, ms }) => msg === 'request' && (status !== 200 || ms! < 500))
      .map(({ route, status }) => [route, status]);

  test('every request is logged, except successful reads of public data', async () => {
    const authorization = bearer(await newCustomer(shop));
    for (const path of ['/tool', '/review', '/']) {
      await get(path);
      await get(path, authorization);
    }
    await get('/order');
    await get('/order?email=nobody@mail.example', authorization);
    expect(requests()).toEqual([
      ['/order', 401],
      ['/order', 403],
    ]);
  });

  test('a log line contains the order id from the URL only if it is valid, and the user of a deletion, but not of a read, and no statements', async () => {
    const customer = await newCustomer(shop);
    const id = '00000000-0000-4000-8000-000000000000';
    await get(`/order/${id}`, bearer(customer));
    await get('/order/nobody@mail.example', bearer(customer));
    await fetch(`${shop.origin}/order/${id}`, { method: 'DELETE', headers: bearer(customer) });
    expect(lines.filter((line) => 'statements' in line)).toEqual([]);
    expect(lines.map(({ route, orderId, userId }) => [route, orderId, userId])).toEqual([
      ['/order/:id', id, undefined],
      ['/order/:id', undefined, undefined],
      ['/order/:id', id, customer.id],
    ]);
  });

  test.each([
    [
      'does not name cause a single warning',
      '10.0.0.1',
      ['request came through 127.0.0.1, which TRUST_PROXY does not name'],
    ],
    ['names cause no warning', '127.0.0.1', []],
  ])('requests through a proxy that TRUST_PROXY %s', async (_names, TRUST_PROXY, warnings) => {
    const proxied = await startShop({ logger: pino(sink), env: { DEMO_EXPOSED: 'on', TRUST_PROXY } });
    lines = [];
    const headers = { 'x-forwarded-for': '203.0.113.9' };
    for (const sent of [{}, headers, headers]) await fetch(`${proxied.origin}/tool`, { headers: sent });
    await proxied.close();
    expect(lines.map(({ msg }) => msg)).toEqual(warnings);
  });

  test('the network of a request is that of its connection if TRUST_PROXY names no proxy', async () => {
    await get('/order', { 'x-forwarded-for': '203.0.113.9' });
    expect(lines.filter(({ msg }) => msg === 'request')).toMatchObject([{ network: '127.0.0.1' }]);
  });

  test('requests from other machines to a shop in test mode cause a single warning', async () => {
    const localShop = await startShop({ logger: pino(sink) });
    for (const address of ['203.0.113.9', '203.0.113.10']) {
      const response = await fetch(`${localShop.origin}/tool`, { headers: { 'x-forwarded-for': address } });
      expect(response.status).toBe(421);
    }
    expect(lines.filter(({ msg }) => msg.startsWith('request from another machine'))).toHaveLength(1);
    await localShop.close();
  });

  test('a public read is logged if it fails, and reads by HEAD are treated like those by GET', async () => {
    const query = jest.spyOn(shop.deps.db.$client, 'query');
    for (const [failure, status] of [
      [new Error('a bug'), 500],
      [Object.assign(new Error('no connection'), { code: 'ECONNREFUSED' }), 503],
    ] as const) {
      query.mockImplementation(() => Promise.reject(failure));
      expect((await fetch(`${shop.origin}/readyz`)).status).toBe(status);
    }
    query.mockRestore();
    expect((await fetch(`${shop.origin}/readyz`)).status).toBe(200);
    expect((await fetch(`${shop.origin}/tool`, { method: 'HEAD' })).status).toBe(200);
    expect(requests()).toEqual([
      ['/readyz', 500],
      ['/readyz', 503],
    ]);
    expect(lines.filter((line) => line.msg !== 'request' && 'reqId' in line)).toMatchObject([
      { level: 50, msg: 'unexpected error', reqId: expect.any(String), err: { message: expect.any(String) } },
      { level: 40, msg: 'request failed, a retry may succeed', reqId: expect.any(String), code: 'unavailable' },
    ]);
  });
});

describe('The log of security events', () => {
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
    await send('/profile', 'POST', ann.token, { address: 'a', phone: '555 0100', linkedIn: '', education: '' });
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
    const [admin, ann] = [await newCustomer(shop, { role: 'admin' }), await newCustomer(shop)];
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
});

describe('The log of errors', () => {
  const connectionError = (code: string) => Object.assign(new Error(`write ${code}`), { code });

  test('the log shows which statement failed and where, but not its parameters', () => {
    const lines: string[] = [];
    const logger = createLogger('info', { write: (line) => void lines.push(line) });
    const parameters = ['12 Main Street\n    at home (x.js:1:1)', 'refresh-token-of-ann'];
    logger.error(
      { err: new DrizzleQueryError('insert into "orders" values ($1, $2)', parameters, connectionError('EPIPE')) },
      'statement failed',
    );
    expect(lines.join('')).toContain('insert into \\"orders\\" values ($1, $2)');
    expect(lines.join('')).toContain('logs.test.ts');
    expect(lines.join('')).not.toMatch(/Main Street|refresh-token-of-ann|at home/);
  });

  test('the log of an error has its code and causes, but no other fields, which can contain a password', () => {
    const lines: string[] = [];
    const logger = createLogger('info', { write: (line) => void lines.push(line) });
    const cause = Object.assign(new Error('no connection'), { code: 'EPIPE', client: { password: 'pa55' } });
    const error = Object.assign(new Error('statement failed', { cause }), { connection: 'postgres://shop:pa55@db' });
    logger.error({ err: error }, 'failed');
    logger.debug('not logged at this level');
    expect(lines).toHaveLength(1);
    expect((JSON.parse(lines[0]!) as { err: object }).err).toEqual({
      name: 'Error',
      message: 'statement failed',
      stack: error.stack,
      cause: { name: 'Error', message: 'no connection', code: 'EPIPE', stack: cause.stack },
    });
  });

  test.each(['a text', undefined, null])('a promise that was rejected with %p is logged', (err) => {
    const lines: string[] = [];
    createLogger('info', { write: (line) => void lines.push(line) }).error({ err }, 'failed');
    expect(JSON.parse(lines[0]!)).toMatchObject({ msg: 'failed' });
    if (err) expect(lines[0]).toContain(err);
  });

  test.each(['authorization', 'password', 'token', 'idToken', 'refreshToken', 'clientSecret', 'client_secret'])(
    'the value of %s is not logged, alone or in another field',
    (name) => {
      const lines: string[] = [];
      const logger = createLogger('info', { write: (line) => void lines.push(line) });
      logger.info({ [name]: 's3cret', request: { [name]: 's3cret', path: '/' } }, 'sent');
      expect(JSON.parse(lines[0]!)).toMatchObject({
        [name]: '[secret]',
        request: { [name]: '[secret]', path: '/' },
      });
    },
  );
});
