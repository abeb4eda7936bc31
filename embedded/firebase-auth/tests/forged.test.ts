import { createHmac } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader, exportSPKI, generateKeyPair, importJWK, SignJWT, UnsecuredJWT } from 'jose';
import { identityKeys } from '../../../server/db/schema';
import {
  call,
  googleCredential,
  PUBLIC_URL,
  publicKeys,
  signInWithGoogle,
  startIdentity,
} from '../../../__tests__/support/identity';

let service: Awaited<ReturnType<typeof startIdentity>>;
let idToken: string;
let credential: string;

beforeAll(async () => {
  service = await startIdentity();
  const { body } = await call(service.url, 'signUp', { email: 'a@ex.com', password: 'secret-1' });
  idToken = String(body.idToken);
  credential = await googleCredential(service.url, 'victim@ex.com', 'Vic Tim');
});
afterAll(() => service.stop());

const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

async function withPublicKeyAsSecret(token: string) {
  const { keys } = await publicKeys(service.db);
  const pem = await exportSPKI((await importJWK(keys[0] ?? {}, 'RS256', { extractable: true })) as CryptoKey);
  const unsigned = `${base64url({ ...decodeProtectedHeader(token), alg: 'HS256' })}.${base64url(decodeJwt(token))}`;
  return `${unsigned}.${createHmac('sha256', pem).update(unsigned).digest('base64url')}`;
}

async function byAnotherKey(token: string, header: object = {}) {
  const { privateKey } = await generateKeyPair('RS256');
  const names = { ...decodeProtectedHeader(token), ...header } as { alg: string };
  return new SignJWT(decodeJwt(token)).setProtectedHeader(names).sign(privateKey);
}

async function byOurKey(claims: object, typ: string) {
  const [row] = await service.db.select().from(identityKeys);
  const key = await importJWK(row?.privateJwk as { kty: string }, 'RS256');
  return new SignJWT({ ...claims }).setProtectedHeader({ alg: 'RS256', kid: row?.kid ?? '', typ }).sign(key);
}

const tampered = (token: string, claims: object) => {
  const [header, , signature] = token.split('.');
  return `${header}.${base64url({ ...decodeJwt(token), ...claims })}.${signature}`;
};

/** Ways to forge either kind of token from a good one. */
const FORGERIES: Record<string, (token: string) => string | Promise<string>> = {
  'no signature at all': (token) => new UnsecuredJWT(decodeJwt(token)).encode(),
  'bare JSON': (token) => JSON.stringify(decodeJwt(token)),
  'the public key as a shared secret': withPublicKeyAsSecret,
  'another key under our key’s name': (token) => byAnotherKey(token),
  'an unknown key': (token) => byAnotherKey(token, { kid: '0'.repeat(40) }),
  'a key named by a string that no database takes': (token) => byAnotherKey(token, { kid: '\u0000' }),
  'another subject under the old signature': (token) => tampered(token, { sub: 'somebody' }),
  'no third part': (token) => token.split('.').slice(0, 2).join('.'),
  garbage: () => 'garbage',
};

describe.each(Object.entries(FORGERIES))('%s', (_name, forge) => {
  test('is no ID token', async () => {
    const { status, body } = await call(service.url, 'lookup', { idToken: await forge(idToken) });
    expect([status, body.error?.message]).toEqual([400, 'INVALID_ID_TOKEN']);
  });

  test('is no Google credential', async () => {
    const { status, body } = await signInWithGoogle(service.url, await forge(credential));
    expect([status, body.error?.message.split(' : ')[0]]).toEqual([400, 'INVALID_IDP_RESPONSE']);
  });
});

const soon = () => Math.floor(Date.now() / 1000) + 300;

test.each([
  ['for another project', () => ({ ...decodeJwt(idToken), aud: 'another' })],
  ['by another issuer', () => ({ ...decodeJwt(idToken), iss: 'https://securetoken.google.com/another' })],
  ['that has run out', () => ({ ...decodeJwt(idToken), exp: soon() - 301 })],
])('a token of our own key %s is no ID token', async (_name, claims) => {
  const { body } = await call(service.url, 'lookup', { idToken: await byOurKey(claims(), 'JWT') });
  expect(body.error?.message).toBe('INVALID_ID_TOKEN');
});

test('neither kind of token passes for the other', async () => {
  const asCredential = await signInWithGoogle(service.url, idToken);
  const asIdToken = await call(service.url, 'lookup', { idToken: credential });
  const retyped = await byOurKey(decodeJwt(credential), 'JWT');

  expect(asCredential.body.error?.message).toMatch(/^INVALID_IDP_RESPONSE/);
  expect(asIdToken.body.error?.message).toBe('INVALID_ID_TOKEN');
  expect((await signInWithGoogle(service.url, retyped)).body.error?.message).toMatch(/^INVALID_IDP_RESPONSE/);
});

test('the good ones pass', async () => {
  expect(decodeJwt(credential)).toMatchObject({ iss: `${PUBLIC_URL}/identity/google`, aud: 'forgeline-local-google' });
  expect((await call(service.url, 'lookup', { idToken })).status).toBe(200);
  expect((await signInWithGoogle(service.url, credential)).status).toBe(200);
  expect((await call(service.url, 'lookup', { idToken: await byOurKey(decodeJwt(idToken), 'JWT') })).status).toBe(200);
});
