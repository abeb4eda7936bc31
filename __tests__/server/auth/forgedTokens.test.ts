import { createHmac, createPublicKey } from 'node:crypto';
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
  'two parts': async () => (await createToken()).split('.').slice(0, 2).join('.'),
  'four parts': async () => `${await createToken()}.e30`,
  'an empty signature': async () => (await createToken()).replace(/\.[^.]*$/, '.'),
  'the signature of another token': async () =>
    `${(await createToken()).replace(/\.[^.]*$/, '')}.${(await createToken({ sub: 'other' })).split('.')[2]}`,
  'alg none': async () => new UnsecuredJWT(claimsOf(EMAIL, new Date())).encode(),
  'alg None': async () => `${encodeJson({ alg: 'None' })}.${encodeJson(claimsOf(EMAIL, new Date()))}.`,
  'no alg': async () => `${encodeJson({ kid: 'key-1' })}.${encodeJson(claimsOf(EMAIL, new Date()))}.AAAA`,
  'HS256 with the public key as its secret': async () => signWithSecret(await exportPublicPem()),
  'HS256 with the public key in DER': async () =>
    signWithSecret(
      createPublicKey(await exportPublicPem()).export({
        type: 'spki',
        format: 'der',
      }) as unknown as Uint8Array<ArrayBuffer>,
    ),
  'HS512 with an empty secret': async () => {
    const body = `${encodeJson({ alg: 'HS512', kid: 'key-1' })}.${encodeJson(claimsOf(EMAIL, new Date()))}`;
    return `${body}.${createHmac('sha512', '').update(body).digest('base64url')}`;
  },
  'another key of the same name': async () => signToken(claimsOf(EMAIL, new Date()), otherKey),
  'an unknown kid': async () => signToken(claimsOf(EMAIL, new Date()), otherKey, { kid: 'key-9' }),
  'no kid': async () => signToken(claimsOf(EMAIL, new Date()), google.key, { kid: undefined }),
  'a kid that is a path': async () => signToken(claimsOf(EMAIL, new Date()), otherKey, { kid: '../../key-1' }),
  'a jku header': async () => signToken(claimsOf(EMAIL, new Date()), otherKey, { jku: google.endpoints.keys }),
  'its own key in a jwk header': async () =>
    signToken(claimsOf(EMAIL, new Date()), otherKey, {
      jwk: (await exportJWK(await importJWK(otherKey.jwk, 'RS256'))) as never,
    }),
  'an x5u header': async () => signToken(claimsOf(EMAIL, new Date()), otherKey, { x5u: 'https://evil.example/cert' }),
  'an unknown critical header': async () =>
    signToken(claimsOf(EMAIL, new Date()), google.key, { crit: ['x'], x: 1 } as never).catch(
      async () =>
        `${encodeJson({ alg: 'RS256', kid: 'key-1', crit: ['x'], x: 1 })}.${(await createToken()).split('.')[1]}.AAAA`,
    ),
  'another project': () => createToken({ aud: 'other', iss: 'https://securetoken.google.com/other' }),
  'another audience': () => createToken({ aud: 'other' }),
  'several audiences': () => createToken({ aud: [PROJECT, 'other'] }),
  'another issuer': () => createToken({ iss: `${ISSUER}.evil.example` }),
  'no issuer': () => createToken({ iss: undefined }),
  'a Google OAuth token': () =>
    createToken({ iss: 'https://accounts.google.com', aud: '1.apps.googleusercontent.com' }),
  'a custom token': () =>
    createToken({
      iss: 'firebase-adminsdk@x.iam.gserviceaccount.com',
      aud: 'https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit',
      uid: 'ann',
    }),
  'a session cookie': () => createToken({ iss: `https://session.firebase.google.com/${PROJECT}` }),
  expired: () => createToken({ exp: nowSeconds() - 61, iat: nowSeconds() - HOUR_SECONDS }),
  'without expiry': () => createToken({ exp: undefined }),
  'a lifetime of more than an hour': () => createToken({ iat: nowSeconds(), exp: nowSeconds() + HOUR_SECONDS + 1 }),
  'an expiry that is text': () => createToken({ exp: 'tomorrow' }),
  'issued in the future': () => createToken({ iat: nowSeconds() + 70 }),
  'without issue time': () => createToken({ iat: undefined }),
  'a sign-in in the future': () => createToken({ auth_time: nowSeconds() + 70 }),
  'without auth_time': () => createToken({ auth_time: undefined }),
  'not valid yet': () => createToken({ nbf: nowSeconds() + HOUR_SECONDS }),
  'without subject': () => createToken({ sub: undefined }),
  'an empty subject': () => createToken({ sub: '' }),
  'a subject of 129 characters': () => createToken({ sub: 'x'.repeat(129) }),
  'a subject with a control character': () => createToken({ sub: 'x\u0000' }),
  'a subject with a lone surrogate': () => createToken({ sub: 'x\ud800' }),
  'a sign-in at the time zero': () => createToken({ auth_time: 0 }),
  'a sign-in time that is text': () => createToken({ auth_time: '1' }),
  'a subject that is a number': () => createToken({ sub: 7 }),
  'without email': () => createToken({ email: undefined }),
  'an invalid email': () => createToken({ email: 'ann' }),
  'changed to another user after signing': () => createTamperedToken({ email: EMAIL, sub: 'somebody-else' }),
  'marked as verified after signing': () => createTamperedToken({ email_verified: true }),
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

test('a sign-in without a bearer token gets a 401 with the code auth_required', async () => {
  const path = `/user/${EMAIL}`;
  for (const authorization of [undefined, '', 'Bearer', 'Basic YTpi', `Token ${await createToken()}`, 'Bearer a b']) {
    const headers = authorization === undefined ? undefined : { authorization };
    const { status, body } = await callShop(shop.origin, path, { method: 'PUT', headers, body: { email: EMAIL } });
    expect([status, body.code]).toEqual([401, 'auth_required']);
  }
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
