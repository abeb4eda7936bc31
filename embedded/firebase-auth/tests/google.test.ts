import { decodeJwt } from 'jose';
import {
  callAccounts,
  openTestDatabase,
  createGoogleCredential,
  refreshIdToken,
  signInWithGoogle,
  startIdentity,
} from '../../../__tests__/support/identity';

const clock = { ms: Date.parse('2030-01-01T00:00:00Z') };
const now = () => new Date(clock.ms);
const VERIFIED_ACCOUNT = { email: 'known@ex.com', password: 'secret-1', displayName: 'Known', emailVerified: true };
let database: Awaited<ReturnType<typeof openTestDatabase>>;
let demo: Awaited<ReturnType<typeof startIdentity>>;
let nonDemo: Awaited<ReturnType<typeof startIdentity>>;

beforeAll(async () => {
  database = await openTestDatabase();
  const { db } = database;
  [demo, nonDemo] = await Promise.all([startIdentity({ db, now }), startIdentity({ db, now, demo: false })]);
  await demo.identity.ensureAccount(VERIFIED_ACCOUNT);
});
afterAll(async () => {
  await Promise.all([demo.stop(), nonDemo.stop()]);
  await database.close();
});

const signInByGoogle = async (email: string, name = 'Some One') =>
  signInWithGoogle(demo.url, await createGoogleCredential(demo.url, email, name));
const codeOf = ({ body }: { body: { error?: { message: string } } }) => body.error?.message.split(' : ')[0];

test('a verified account keeps its password when its owner signs in with Google', async () => {
  const { body } = await signInByGoogle('KNOWN@ex.com', 'Known By Google');
  const login = await callAccounts(demo.url, 'signInWithPassword', VERIFIED_ACCOUNT);

  expect(body).toMatchObject({ email: 'known@ex.com', displayName: 'Known By Google' });
  expect(body.isNewUser).toBeUndefined();
  expect(login.body.localId).toBe(body.localId);
});

test('a Google user gets the account whose email is unverified, without its password and sessions', async () => {
  const squatted = await callAccounts(demo.url, 'signUp', {
    email: 'mine@ex.com',
    password: 'secret-1',
    displayName: 'Taker',
  });
  clock.ms += 1000;
  const { body } = await signInByGoogle('mine@ex.com', 'Owner');
  const renewed = await refreshIdToken(demo.url, {
    grant_type: 'refresh_token',
    refresh_token: String(squatted.body.refreshToken),
  });

  expect(body.localId).toBe(squatted.body.localId);
  expect(decodeJwt(String(body.idToken))).toMatchObject({ email_verified: true, name: 'Owner' });
  expect(codeOf(renewed)).toBe('TOKEN_EXPIRED');
  expect(codeOf(await callAccounts(demo.url, 'lookup', { idToken: squatted.body.idToken }))).toBe('TOKEN_EXPIRED');
  expect(
    codeOf(await callAccounts(demo.url, 'signInWithPassword', { email: 'mine@ex.com', password: 'secret-1' })),
  ).toBe('INVALID_LOGIN_CREDENTIALS');
});

test('ten simultaneous first sign-ins with Google create a single account', async () => {
  const credential = await createGoogleCredential(demo.url, 'many@ex.com', 'Many');
  const responses = await Promise.all(Array.from({ length: 10 }, () => signInWithGoogle(demo.url, credential)));

  expect(responses.map(({ status }) => status)).toEqual(Array(10).fill(200));
  expect(new Set(responses.map(({ body }) => body.localId)).size).toBe(1);
  expect(responses.filter(({ body }) => body.isNewUser)).toHaveLength(1);
});

test('a credential of the Google account chooser expires after five minutes', async () => {
  const credential = await createGoogleCredential(demo.url, 'late@ex.com', 'Late');
  clock.ms += 301_000;
  expect(codeOf(await signInWithGoogle(demo.url, credential))).toBe('INVALID_IDP_RESPONSE');
});

test('providers other than Google, and linking Google to a signed-in user, are refused', async () => {
  const postBody = `id_token=x&providerId=facebook.com`;
  const { body } = await signInByGoogle('linker@ex.com');
  expect(codeOf(await callAccounts(demo.url, 'signInWithIdp', { requestUri: 'http://localhost', postBody }))).toBe(
    'OPERATION_NOT_ALLOWED',
  );
  const credential = await createGoogleCredential(demo.url, 'second@ex.com', 'Second');
  const linking = { postBody: `id_token=${credential}&providerId=google.com`, idToken: body.idToken };
  expect(codeOf(await callAccounts(demo.url, 'signInWithIdp', linking))).toBe('OPERATION_NOT_ALLOWED');
});

describe('outside the demo', () => {
  // Clauses C.10.4, C.10.5
  test('there is no Google account chooser', async () => {
    for (const path of ['', '/chooser.client.js']) {
      expect((await fetch(`${nonDemo.url}/identity/google${path}`)).status).toBe(404);
    }
    expect((await fetch(`${nonDemo.url}/identity/google/credential`, { method: 'POST' })).status).toBe(404);
  });

  // Clause C.10.5
  test('a valid Google credential from the demo is refused', async () => {
    const credential = await createGoogleCredential(demo.url, 'a@ex.com', 'A');
    expect(codeOf(await signInWithGoogle(nonDemo.url, credential))).toBe('OPERATION_NOT_ALLOWED');
  });

  test('a session that was started with Google in the demo has ended', async () => {
    const { body } = await signInByGoogle('a@ex.com');
    const form = { grant_type: 'refresh_token', refresh_token: String(body.refreshToken) };
    expect(codeOf(await refreshIdToken(nonDemo.url, form))).toBe('TOKEN_EXPIRED');
  });
});
