import { join } from 'node:path';
import Fastify from 'fastify';
import { decodeJwt } from 'jose';
import { normalizeEmail } from '../../../server/auth/emailAddress';
import { lockInTransaction } from '../../../server/db/locks';
import { callAccounts, CHEAP_PASSWORD_COST, openTestDatabase, PUBLIC_URL } from '../../../__tests__/support/identity';
import { createFirebaseAuthServer, type FirebaseAuth } from '../index';

const account = { email: 'ann@ex.com', password: 'secret-1' };
const app = Fastify();
let database: Awaited<ReturnType<typeof openTestDatabase>>;
let identity: FirebaseAuth;
let url: string;

beforeAll(async () => {
  database = await openTestDatabase();
  identity = createFirebaseAuthServer({
    db: database.db,
    publicUrl: PUBLIC_URL,
    folder: join(__dirname, '..'),
    demo: false,
    lockKeys: (tx) => lockInTransaction(tx, 'identity keys'),
    sendMail: async () => undefined,
    rateLimit: { hit: async () => ({ ok: true, retryAfterSeconds: 0 }), undo: async () => undefined },
    normalizeEmail,
    clientNetwork: (address) => address,
    statusOfError: () => ({ status: 500 }),
    commonPasswordMessage: 'Choose another password.',
    passwordCost: CHEAP_PASSWORD_COST,
  });
  await app.register(identity.plugin);
  url = await app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  await app.close();
  await database.close();
});

test('an application can leave out its sessions, its logs and the clock', async () => {
  const before = Math.floor(Date.now() / 1000);
  const signUp = await callAccounts(url, 'signUp', account);
  expect(decodeJwt(String(signUp.body.idToken)).iat).toBeGreaterThanOrEqual(before);
  const wrongPassword = await callAccounts(url, 'signInWithPassword', { ...account, password: 'wrong-one' });
  expect(wrongPassword.body.error?.message).toBe('INVALID_LOGIN_CREDENTIALS');
  const changed = await callAccounts(url, 'update', { idToken: signUp.body.idToken, password: 'secret-2' });
  expect(changed.status).toBe(200);
  expect((await callAccounts(url, 'delete', { idToken: changed.body.idToken })).status).toBe(200);
});

test('an account cannot be created with an invalid email', async () => {
  const invalid = { ...account, email: 'not-an-email', displayName: 'Ann', emailVerified: true };
  await expect(identity.ensureAccount(invalid)).rejects.toThrow('An account needs a valid email, not "not-an-email".');
});

test('an empty body counts as one without fields', async () => {
  const response = await fetch(`${url}/identitytoolkit.googleapis.com/v1/accounts:signUp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
  });
  expect(await response.json()).toMatchObject({ error: { message: 'ADMIN_ONLY_OPERATION' } });
});
