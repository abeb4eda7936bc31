import { exportJWK, exportSPKI, importJWK, SignJWT, UnsecuredJWT, type CryptoKey } from 'jose';
import { callShop, putUser } from '../../support/api';
import {
  claimsOf,
  FIREBASE_ENV,
  type Google,
  ISSUER,
  type SigningKey,
  createSigningKey,
  PROJECT,
  signToken,
  startGoogle,
} from '../../support/googleTokens';
import { startShop } from '../../support/shop';

const EMAIL = 'ann@shop.example';
const HOUR_SECONDS = 3600;

let google: Google;
let shop: Awaited<ReturnType<typeof startShop>>;
let otherKey: SigningKey;

beforeAll(async () => {
  google = await startGoogle();
  otherKey = await createSigningKey('key-1');
  shop = await startShop({ env: FIREBASE_ENV, google: google.endpoints });
});
afterAll(async () => {
  await shop.close();
  await google.stop();
});

const encodeJson = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const createToken = (changes: Record<string, unknown> = {}) =>
  signToken(claimsOf(EMAIL, new Date(), changes), google.key);
const nowSeconds = () => Math.floor(Date.now() / 1000);

async function signWithSecret(secret: string | Uint8Array, alg = 'HS256') {
  const key = typeof secret === 'string' ? new TextEncoder().encode(secret) : secret;
  return new SignJWT(claimsOf(EMAIL, new Date())).setProtectedHeader({ alg, kid: 'key-1', typ: 'JWT' }).sign(key);
}

/** Changes claims without signing the token again. */
async function createTamperedToken(changes: Record<string, unknown>) {
  const [head, , signature] = (await createToken()).split('.');
  return [head, encodeJson(claimsOf(EMAIL, new Date(), changes)), signature].join('.');
}

const exportPublicPem = async () => exportSPKI((await importJWK(google.key.jwk, 'RS256')) as CryptoKey);

const FORGERIES: Record<string, () => Promise<string>> = {
  garbage: async () => 'garbage',
  'an empty signature': async () => (await createToken()).replace(/\.[^.]*$/, '.'),
  'the signature of another token': async () =>
    `${(await createToken()).replace(/\.[^.]*$/, '')}.${(await createToken({ sub: 'other' })).split('.')[2]}`,
  'alg none': async () => new UnsecuredJWT(claimsOf(EMAIL, new Date())).encode(),
  'HS256 with the public key as its secret': async () => signWithSecret(await exportPublicPem()),
  'another key of the same name': async () => signToken(claimsOf(EMAIL, new Date()), otherKey),
  'an unknown kid': async () => signToken(claimsOf(EMAIL, new Date()), otherKey, { kid: 'key-9' }),
  'no kid': async () => signToken(claimsOf(EMAIL, new Date()), google.key, { kid: undefined }),
  'a jku header': async () => signToken(claimsOf(EMAIL, new Date()), otherKey, { jku: google.endpoints.keys }),
  'its own key in a jwk header': async () =>
    signToken(claimsOf(EMAIL, new Date()), otherKey, {
      jwk: (await exportJWK(await importJWK(otherKey.jwk, 'RS256'))) as never,
    }),
  'another project': () => createToken({ aud: 'other', iss: 'https://securetoken.google.com/other' }),
  'another audience': () => createToken({ aud: 'other' }),
  'another issuer': () => createToken({ iss: `${ISSUER}.evil.example` }),
  'a session cookie': () => createToken({ iss: `https://session.firebase.google.com/${PROJECT}` }),
  expired: () => createToken({ exp: nowSeconds() - 61, iat: nowSeconds() - HOUR_SECONDS }),
  'without expiry': () => createToken({ exp: undefined }),
  'a lifetime of more than an hour': () => createToken({ iat: nowSeconds(), exp: nowSeconds() + HOUR_SECONDS + 1 }),
  'issued in the future': () => createToken({ iat: nowSeconds() + 70 }),
  'without issue time': () => createToken({ iat: undefined }),
  'a sign-in in the future': () => createToken({ auth_time: nowSeconds() + 70 }),
  'without auth_time': () => createToken({ auth_time: undefined }),
  'an empty subject': () => createToken({ sub: '' }),
  'a subject of 129 characters': () => createToken({ sub: 'x'.repeat(129) }),
  'a subject with a lone surrogate': () => createToken({ sub: 'x\ud800' }),
  'a sign-in at the time zero': () => createToken({ auth_time: 0 }),
  'without email': () => createToken({ email: undefined }),
  'an invalid email': () => createToken({ email: 'ann' }),
  'changed to another user after signing': () => createTamperedToken({ email: EMAIL, sub: 'somebody-else' }),
};

// Clause C.2.4
test('a valid ID token identifies the user', async () => {
  const { status, body } = await putUser(shop.origin, EMAIL, await createToken());
  expect(status).toBe(200);
  expect(body).toEqual({ _id: `uid-of-${EMAIL}`, email: EMAIL, role: 'member', token: expect.any(String) });
});

// Clauses C.2.4, C.4.6
test.each(Object.entries(FORGERIES))('every forged or invalid ID token gets the same 401: %s', async (_name, forge) => {
  const { status, body, headers } = await putUser(shop.origin, EMAIL, await forge());
  expect(status).toBe(401);
  expect(headers.get('content-type')).toBe('application/problem+json');
  expect(JSON.stringify({ ...body, instance: '' })).toBe(
    '{"type":"/problems/token_invalid","title":"Invalid token","status":401,"code":"token_invalid","detail":"Your session is not valid. Please log in again.","instance":""}',
  );
});

// Clause C.2.4
test.each([
  ['exp', -50, 200],
  ['exp', -61, 401],
  ['iat', 59, 200],
  ['iat', 70, 401],
  ['auth_time', 59, 200],
  ['auth_time', 70, 401],
])(
  'a clock difference of up to a minute is tolerated: a token whose %s is %i s from now gets a %i',
  async (claim, seconds, expected) => {
    const { status } = await putUser(shop.origin, EMAIL, await createToken({ [claim]: nowSeconds() + seconds }));
    expect(status).toBe(expected);
  },
);

test('an ID token of exactly an hour, for a user id of 128 characters, is accepted', async () => {
  const email = 'longest@shop.example';
  const iat = nowSeconds();
  const claims = claimsOf(email, new Date(), { sub: 'x'.repeat(128), iat, exp: iat + HOUR_SECONDS });
  const { body } = await putUser(shop.origin, email, await signToken(claims, google.key));
  expect(body._id).toBe('x'.repeat(128));
});

// Clause C.2.4
test('PUT /user accepts an ID token but no access token, and GET /admin/:email the reverse', async () => {
  const idToken = await createToken();
  const { token = '' } = (await putUser(shop.origin, EMAIL, idToken)).body;
  expect((await putUser(shop.origin, EMAIL, token)).status).toBe(401);
  expect((await callShop(shop.origin, `/admin/${EMAIL}`, { token: idToken })).status).toBe(401);
  expect((await callShop(shop.origin, `/admin/${EMAIL}`, { token })).status).toBe(200);
});

// Clause C.10.6
test('with the Auth emulator, unsigned ID tokens are accepted, but only for its project and until they expire', async () => {
  const env = { FIREBASE_AUTH_EMULATOR_HOST: '127.0.0.1:1', FIREBASE_PROJECT_ID: PROJECT };
  const emulatorShop = await startShop({ env });
  const unsigned = (changes: Record<string, unknown> = {}) =>
    new UnsecuredJWT(claimsOf(EMAIL, new Date(), changes)).encode();
  const statusOf = async (token: string) => (await putUser(emulatorShop.origin, EMAIL, token)).status;
  try {
    expect(await statusOf(unsigned())).toBe(200);
    expect(await statusOf(unsigned({ aud: 'other' }))).toBe(401);
    expect(await statusOf(unsigned({ iss: 'https://securetoken.google.com/other' }))).toBe(401);
    expect(await statusOf(unsigned({ exp: nowSeconds() - 61 }))).toBe(401);
    expect(await statusOf(await createToken())).toBe(401);
  } finally {
    await emulatorShop.close();
  }
});

// Clause C.5.8
test('with the Auth emulator, an unverified email in ADMIN_EMAILS is not promoted, even in a demo', async () => {
  const emulator = { FIREBASE_AUTH_EMULATOR_HOST: '127.0.0.1:1', FIREBASE_PROJECT_ID: PROJECT };
  const emulatorShop = await startShop({ env: { ...emulator, DEMO: 'on', ADMIN_EMAILS: EMAIL } });
  const roleWith = async (email_verified: boolean) => {
    const token = new UnsecuredJWT(claimsOf(EMAIL, new Date(), { email_verified })).encode();
    return (await putUser(emulatorShop.origin, EMAIL, token)).body['role'];
  };
  try {
    expect(await roleWith(false)).toBe('member');
    expect(await roleWith(true)).toBe('admin');
  } finally {
    await emulatorShop.close();
  }
});
