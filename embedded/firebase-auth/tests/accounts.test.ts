import { sql } from 'drizzle-orm';
import { callShop, putUser } from '../../../__tests__/support/api';
import { collectLog, startShop } from '../../../__tests__/support/shop';
import {
  CHEAP_PASSWORD_COST,
  refreshIdToken,
  openTestDatabase,
  startIdentity,
} from '../../../__tests__/support/identity';
import { hashPassword } from '../passwords';
import { createDatabaseRateLimit } from '../../../server/http/rateLimit';
import { waitUntilBlocked } from '../../../__tests__/support/database';
import { callAccounts } from '../../../__tests__/support/customers';

describe('Access tokens', () => {
  const PASSWORD = 'secret-1';
  const log = collectLog();
  let shop: Awaited<ReturnType<typeof startShop>>;
  beforeAll(async () => void (shop = await startShop({ logger: log.logger })));
  afterAll(() => shop.close());

  let personCount = 0;
  async function newPerson() {
    const email = `ending.${process.pid}.${(personCount += 1)}@shop.example`;
    const { body } = await callAccounts(shop.origin, 'signUp', { email, password: PASSWORD, returnSecureToken: true });
    const [idToken, id] = [String(body['idToken']), String(body['localId'])];
    const { token } = (await putUser(shop.origin, email, idToken)).body;
    return { email, id, idToken, token: String(token) };
  }
  const statusOf = async (email: string, token: string) =>
    (await callShop(shop.origin, `/admin/${email}`, { token })).status;
  const linesOf = (msg: string, userId: string) =>
    log.linesOf(msg).filter((line) => line['userId'] === userId && line['network'] === '127.0.0.1');

  test('deleting an account immediately revokes its access token', async () => {
    const { email, id, idToken, token } = await newPerson();
    expect(await statusOf(email, token)).toBe(200);
    expect((await callAccounts(shop.origin, 'delete', { idToken })).status).toBe(200);
    expect(await statusOf(email, token)).toBe(401);
    expect([linesOf('account removed', id), linesOf('session ended', id)]).toMatchObject([
      { length: 1 },
      { length: 1 },
    ]);
  });

  // Clause C.5.6
  test.each([
    ['password', (_email: string) => ({ password: 'secret-2' })],
    ['email', (email: string) => ({ email: `new.${email}` })],
  ])(
    'a new %s immediately revokes every access token, but the session that made the change continues',
    async (_what, change) => {
      const { email, id, idToken, token } = await newPerson();
      const other = await callAccounts(shop.origin, 'signInWithPassword', {
        email,
        password: PASSWORD,
        returnSecureToken: true,
      });
      const otherToken = String((await putUser(shop.origin, email, String(other.body['idToken']))).body.token);

      const body = { idToken, returnSecureToken: true, ...change(email) };
      const changed = await callAccounts(shop.origin, 'update', body);
      expect(changed.status).toBe(200);
      expect([await statusOf(email, token), await statusOf(email, otherToken)]).toEqual([401, 401]);
      expect(linesOf('session ended', id)).toHaveLength(1);

      const address = String(changed.body['email']);
      const renewed = await refreshIdToken(shop.origin, {
        grant_type: 'refresh_token',
        refresh_token: String(changed.body['refreshToken']),
      });
      for (const idTokenOfSession of [changed.body['idToken'], renewed.body['id_token']]) {
        const { token: newer } = (await putUser(shop.origin, address, String(idTokenOfSession))).body;
        expect(await statusOf(address, String(newer))).toBe(200);
      }
    },
  );
});

describe('The shop with embedded sign-in', () => {
  let clockOffsetMs = 0;
  let shop: Awaited<ReturnType<typeof startShop>>;
  beforeAll(async () => {
    const now = () => new Date(Date.now() + clockOffsetMs);
    shop = await startShop({ now, env: { DEMO: 'on', ADMIN_EMAILS: 'chief@shop.example' } });
  });
  afterAll(() => shop.close());

  const PASSWORD = 'secret-1';
  const signUp = async (email: string) =>
    String(
      (await callAccounts(shop.origin, 'signUp', { email, password: PASSWORD, returnSecureToken: true })).body[
        'idToken'
      ],
    );
  const tokenFor = async (email: string, idToken: string) => (await putUser(shop.origin, email, idToken)).body.token;
  const adminStatus = async (email: string, token?: string) =>
    (await callShop(shop.origin, `/admin/${email}`, { token })).status;

  // Clause C.5.6
  test('a changed password revokes older access tokens and ID tokens', async () => {
    const email = 'password@shop.example';
    const oldIdToken = await signUp(email);
    const token = await tokenFor(email, oldIdToken);
    expect(await adminStatus(email, token)).toBe(200);
    // Tokens are revoked by whole seconds, so the password must be changed in a later second than the sign-up.
    clockOffsetMs = 2_000;
    const changed = await callAccounts(shop.origin, 'update', {
      idToken: oldIdToken,
      password: 'secret-2',
      returnSecureToken: true,
    });
    const newToken = await tokenFor(email, String(changed.body['idToken']));
    expect(await adminStatus(email, newToken)).toBe(200);
    expect(await adminStatus(email, token)).toBe(401);
    expect(await putUser(shop.origin, email, oldIdToken)).toMatchObject({
      status: 401,
      body: { code: 'token_invalid' },
    });
  });

  // Clause C.5.8
  test('in the demo ADMIN_EMAILS makes a user with an unverified email an admin', async () => {
    const email = 'chief@shop.example';
    expect(await putUser(shop.origin, email, await signUp(email))).toMatchObject({
      status: 200,
      body: { role: 'admin' },
    });
  });
});

describe('Refusals', () => {
  const password = 'secret-1';
  let database: Awaited<ReturnType<typeof openTestDatabase>>;
  let service: Awaited<ReturnType<typeof startIdentity>>;
  let personCount = 0;

  beforeAll(async () => {
    database = await openTestDatabase();
    const { db } = database;
    service = await startIdentity({ db, limit: createDatabaseRateLimit(db, () => new Date()) });
  });
  afterAll(async () => {
    await service.stop();
    await database.close();
  });

  const call = (endpoint: string, body: object) => callAccounts(service.url, endpoint, body);
  const newEmail = () => `person${(personCount += 1)}@ex.com`;
  const refusal = (message: string, code = 400) => ({
    status: code,
    body: { error: { code, message, errors: [{ message, reason: 'invalid', domain: 'global' }] } },
  });

  async function newPerson() {
    const email = newEmail();
    const { body } = await call('signUp', { email, password });
    return { email, localId: String(body.localId), idToken: String(body.idToken) };
  }

  test.each([
    ['signUp', {}, 'ADMIN_ONLY_OPERATION'],
    ['signUp', { email: 'a@ex.com', password, idToken: 'x' }, 'OPERATION_NOT_ALLOWED'],
    ['signUp', { email: 'a@ex.com', password: 'q7!xz' }, 'WEAK_PASSWORD : Password should be at least 6 characters'],
    [
      'signInWithIdp',
      { postBody: 'providerId=google.com&id_token=x' },
      'INVALID_IDP_RESPONSE : The supplied auth credential is malformed or has expired.',
    ],
    [
      'signInWithIdp',
      { postBody: 'providerId=facebook.com&id_token=x' },
      'OPERATION_NOT_ALLOWED : The identity provider configuration is not found.',
    ],
    ['sendOobCode', { requestType: 'EMAIL_SIGNIN', email: 'a@ex.com' }, 'OPERATION_NOT_ALLOWED'],
  ])('the endpoint accounts:%s refuses %j with %s', async (endpoint, body, message) => {
    expect(await call(endpoint, body)).toEqual(refusal(message));
  });

  /** Runs a call while another transaction is about to commit `change`. */
  async function callDuring(change: ReturnType<typeof sql>, endpoint: string, body: object) {
    let response!: ReturnType<typeof call>;
    await database.db.transaction(async (tx) => {
      await tx.execute(change);
      response = call(endpoint, body);
      await waitUntilBlocked(database);
    });
    return response;
  }

  const insertAccount = (email: string) => sql`
  insert into embedded_identity.accounts (local_id, email, created_at, valid_since, last_login_at)
  values (${`id of ${email}`}, ${email}, now(), now(), now())`;

  test('an email that somebody else takes at the same moment is refused, at sign-up and as a new email', async () => {
    const { idToken } = await newPerson();
    const [first, second] = [newEmail(), newEmail()];
    expect(await callDuring(insertAccount(first), 'signUp', { email: first, password })).toEqual(
      refusal('EMAIL_EXISTS'),
    );
    expect(await callDuring(insertAccount(second), 'update', { idToken, email: second })).toEqual(
      refusal('EMAIL_EXISTS'),
    );
  });

  /** Keeps the queue of passwords to hash full until `work` is done. */
  async function withFullHashingQueue(work: () => Promise<void>) {
    let isDone = false;
    const workers = Array.from({ length: 80 }, async () => {
      while (!isDone) await hashPassword(password, CHEAP_PASSWORD_COST).catch(() => new Promise(setImmediate));
    });
    try {
      await work();
    } finally {
      isDone = true;
      await Promise.all(workers);
    }
  }

  test('a sign-in during a flood of sign-ins is asked to come back, and does not count as a failed login', async () => {
    const { email } = await newPerson();
    const signIn = () => call('signInWithPassword', { email, password });
    await withFullHashingQueue(async () => {
      for (let n = 0; n < 10; n += 1) expect(await signIn()).toEqual(refusal('TOO_MANY_ATTEMPTS_TRY_LATER', 503));
      const { status, headers } = await fetch(`${service.url}/identitytoolkit.googleapis.com/v1/accounts:signUp`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: newEmail(), password }),
      });
      expect([status, headers.get('retry-after')]).toEqual([503, '5']);
    });
    expect((await signIn()).status).toBe(200);
  });
});

describe('Malformed requests', () => {
  let service: Awaited<ReturnType<typeof startIdentity>>;
  beforeAll(async () => {
    service = await startIdentity();
  });
  afterAll(() => service.stop());

  async function signUp(email: string) {
    return (await callAccounts(service.url, 'signUp', { email, password: 'secret-1' })).body.idToken;
  }

  test('a login with an unknown email gets the same response as one with a wrong password', async () => {
    await signUp('a@ex.com');
    const logIn = (email: string) => callAccounts(service.url, 'signInWithPassword', { email, password: 'wrong-one' });
    expect(await logIn('nobody@ex.com')).toEqual(await logIn('a@ex.com'));
  });
});
