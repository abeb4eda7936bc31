import { createHmac, createPublicKey } from 'node:crypto';
import { exportJWK, exportSPKI, importJWK, SignJWT, UnsecuredJWT, type CryptoKey } from 'jose';
import { callShop, putUser } from '../../support/api';
import {
  claimsOf,
  FIREBASE_ENV,
  type Google,
  ISSUER,
  type Key,
  makeKey,
  PROJECT,
  signed,
  startGoogle,
} from '../../support/googleTokens';
import { startShop } from '../../support/shop';

const EMAIL = 'ann@shop.example';
const HOUR = 3600;

let google: Google;
let shop: Awaited<ReturnType<typeof startShop>>;
let stranger: Key;

beforeAll(async () => {
  google = await startGoogle();
  stranger = await makeKey('key-1');
  shop = await startShop({ env: FIREBASE_ENV, google: google.at });
});
afterAll(async () => {
  await shop.close();
  await google.stop();
});

const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const good = (changes: Record<string, unknown> = {}) => signed(claimsOf(EMAIL, new Date(), changes), google.key);
const now = () => Math.floor(Date.now() / 1000);

async function withSecret(secret: string | Uint8Array, alg = 'HS256') {
  const key = typeof secret === 'string' ? new TextEncoder().encode(secret) : secret;
  return new SignJWT(claimsOf(EMAIL, new Date())).setProtectedHeader({ alg, kid: 'key-1', typ: 'JWT' }).sign(key);
}

/** Altered after it was signed. */
async function altered(changes: Record<string, unknown>) {
  const [head, , signature] = (await good()).split('.');
  return [head, base64(claimsOf(EMAIL, new Date(), changes)), signature].join('.');
}

const publicPem = async () => exportSPKI((await importJWK(google.key.jwk, 'RS256')) as CryptoKey);

/** Every way of forging a token that we know of. */
const FORGERIES: Record<string, () => Promise<string>> = {
  garbage: async () => 'garbage',
  'two parts': async () => (await good()).split('.').slice(0, 2).join('.'),
  'four parts': async () => `${await good()}.e30`,
  'an empty signature': async () => (await good()).replace(/\.[^.]*$/, '.'),
  'the signature of another token': async () =>
    `${(await good()).replace(/\.[^.]*$/, '')}.${(await good({ sub: 'other' })).split('.')[2]}`,
  'alg none': async () => new UnsecuredJWT(claimsOf(EMAIL, new Date())).encode(),
  'alg None': async () => `${base64({ alg: 'None' })}.${base64(claimsOf(EMAIL, new Date()))}.`,
  'no alg': async () => `${base64({ kid: 'key-1' })}.${base64(claimsOf(EMAIL, new Date()))}.AAAA`,
  'HS256 with the public key as its secret': async () => withSecret(await publicPem()),
  'HS256 with the public key in DER': async () =>
    withSecret(
      createPublicKey(await publicPem()).export({ type: 'spki', format: 'der' }) as unknown as Uint8Array<ArrayBuffer>,
    ),
  'HS512 with an empty-looking secret': async () => {
    const body = `${base64({ alg: 'HS512', kid: 'key-1' })}.${base64(claimsOf(EMAIL, new Date()))}`;
    return `${body}.${createHmac('sha512', '').update(body).digest('base64url')}`;
  },
  'another key of the same name': async () => signed(claimsOf(EMAIL, new Date()), stranger),
  'an unknown kid': async () => signed(claimsOf(EMAIL, new Date()), stranger, { kid: 'key-9' }),
  'no kid': async () => signed(claimsOf(EMAIL, new Date()), google.key, { kid: undefined }),
  'a kid that is a path': async () => signed(claimsOf(EMAIL, new Date()), stranger, { kid: '../../key-1' }),
  'a jku header': async () => signed(claimsOf(EMAIL, new Date()), stranger, { jku: google.at.keys }),
  'its own key in a jwk header': async () =>
    signed(claimsOf(EMAIL, new Date()), stranger, {
      jwk: (await exportJWK(await importJWK(stranger.jwk, 'RS256'))) as never,
    }),
  'an x5u header': async () => signed(claimsOf(EMAIL, new Date()), stranger, { x5u: 'https://evil.example/cert' }),
  'an unknown critical header': async () =>
    signed(claimsOf(EMAIL, new Date()), google.key, { crit: ['x'], x: 1 } as never).catch(
      async () => `${base64({ alg: 'RS256', kid: 'key-1', crit: ['x'], x: 1 })}.${(await good()).split('.')[1]}.AAAA`,
    ),
  'another project': () => good({ aud: 'other', iss: 'https://securetoken.google.com/other' }),
  'another audience': () => good({ aud: 'other' }),
  'several audiences': () => good({ aud: [PROJECT, 'other'] }),
  'another issuer': () => good({ iss: `${ISSUER}.evil.example` }),
  'no issuer': () => good({ iss: undefined }),
  'a Google OAuth token': () => good({ iss: 'https://accounts.google.com', aud: '1.apps.googleusercontent.com' }),
  'a custom token': () =>
    good({
      iss: 'firebase-adminsdk@x.iam.gserviceaccount.com',
      aud: 'https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit',
      uid: 'ann',
    }),
  'a session cookie': () => good({ iss: `https://session.firebase.google.com/${PROJECT}` }),
  expired: () => good({ exp: now() - 61, iat: now() - HOUR }),
  'without expiry': () => good({ exp: undefined }),
  'a life of more than an hour': () => good({ exp: now() + HOUR + 60 }),
  'an expiry in words': () => good({ exp: 'tomorrow' }),
  'issued in the future': () => good({ iat: now() + 70 }),
  'without issue time': () => good({ iat: undefined }),
  'signed in in the future': () => good({ auth_time: now() + 70 }),
  'without auth_time': () => good({ auth_time: undefined }),
  'not valid yet': () => good({ nbf: now() + HOUR }),
  'without subject': () => good({ sub: undefined }),
  'an empty subject': () => good({ sub: '' }),
  'a subject of 129 characters': () => good({ sub: 'x'.repeat(129) }),
  'a subject that is a number': () => good({ sub: 7 }),
  'without email': () => good({ email: undefined }),
  'an email that is none': () => good({ email: 'ann' }),
  'another person after signing': () => altered({ email: EMAIL, sub: 'somebody-else' }),
  'verified after signing': () => altered({ email_verified: true }),
};

// Clause C.2.4
test('a token of Google is believed, and tells who one is', async () => {
  const { status, body } = await putUser(shop.origin, EMAIL, await good());
  expect(status).toBe(200);
  expect(body).toEqual({ _id: `uid-of-${EMAIL}`, email: EMAIL, role: 'member', token: expect.any(String) });
});

// Clauses C.2.4, C.4.6
test.each(Object.entries(FORGERIES))('%s: 401, in the very words of every other', async (_name, forge) => {
  const { status, body, headers } = await putUser(shop.origin, EMAIL, await forge());
  expect(status).toBe(401);
  expect(headers.get('content-type')).toBe('application/problem+json');
  expect(JSON.stringify({ ...body, instance: '' })).toBe(
    '{"type":"/problems/token_invalid","title":"Token not valid","status":401,"code":"token_invalid","detail":"Your session is not valid. Please log in again.","instance":""}',
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
])('a clock that differs: %s %i s from now is %i', async (claim, seconds, expected) => {
  const { status } = await putUser(shop.origin, EMAIL, await good({ [claim]: now() + seconds }));
  expect(status).toBe(expected);
});

test('without a token, or with something else than a bearer, one is asked to log in', async () => {
  const path = `/user/${EMAIL}`;
  for (const authorization of [undefined, '', 'Bearer', 'Basic YTpi', `Token ${await good()}`, 'Bearer a b']) {
    const headers = authorization === undefined ? undefined : { authorization };
    const { status, body } = await callShop(shop.origin, path, { method: 'PUT', headers, body: { email: EMAIL } });
    expect([status, body.code]).toEqual([401, 'auth_required']);
  }
});

// Clause C.2.4
test("the provider's token opens no other call, and ours does not open this one", async () => {
  const idToken = await good();
  const { token = '' } = (await putUser(shop.origin, EMAIL, idToken)).body;
  expect((await putUser(shop.origin, EMAIL, token)).status).toBe(401);
  expect((await callShop(shop.origin, `/admin/${EMAIL}`, { token: idToken })).status).toBe(401);
  expect((await callShop(shop.origin, `/admin/${EMAIL}`, { token })).status).toBe(200);
});

// Clause C.10.6
test('unsigned tokens are believed where the emulator is configured, and only for its project', async () => {
  const env = { FIREBASE_AUTH_EMULATOR_HOST: '127.0.0.1:1', FIREBASE_PROJECT_ID: PROJECT };
  const other = await startShop({ env });
  const unsigned = (changes: Record<string, unknown> = {}) =>
    new UnsecuredJWT(claimsOf(EMAIL, new Date(), changes)).encode();
  const statusOf = async (token: string) => (await putUser(other.origin, EMAIL, token)).status;
  try {
    expect(await statusOf(unsigned())).toBe(200);
    expect(await statusOf(unsigned({ aud: 'other' }))).toBe(401);
    expect(await statusOf(unsigned({ iss: 'https://securetoken.google.com/other' }))).toBe(401);
    expect(await statusOf(unsigned({ exp: now() - 61 }))).toBe(401);
    expect(await statusOf(await good())).toBe(401);
  } finally {
    await other.close();
  }
});

// Clause C.5.8
test('with the Auth emulator even a demo makes no admin of an unverified address', async () => {
  const emulator = { FIREBASE_AUTH_EMULATOR_HOST: '127.0.0.1:1', FIREBASE_PROJECT_ID: PROJECT };
  const other = await startShop({ env: { ...emulator, DEMO: 'on', ADMIN_EMAILS: EMAIL } });
  const roleWith = async (email_verified: boolean) => {
    const token = new UnsecuredJWT(claimsOf(EMAIL, new Date(), { email_verified })).encode();
    return (await putUser(other.origin, EMAIL, token)).body['role'];
  };
  try {
    expect(await roleWith(false)).toBe('member');
    expect(await roleWith(true)).toBe('admin');
  } finally {
    await other.close();
  }
});
