import { createHmac } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader, exportSPKI, generateKeyPair, importJWK, SignJWT, UnsecuredJWT } from 'jose';
import { identityKeys } from '../schema';
import {
  callAccounts,
  createGoogleCredential,
  PUBLIC_URL,
  readPublicKeys,
  signInWithGoogle,
  startIdentity,
} from '../../../__tests__/support/identity';

let service: Awaited<ReturnType<typeof startIdentity>>;
let idToken: string;
let credential: string;

beforeAll(async () => {
  service = await startIdentity();
  const { body } = await callAccounts(service.url, 'signUp', { email: 'a@ex.com', password: 'secret-1' });
  idToken = String(body.idToken);
  credential = await createGoogleCredential(service.url, 'victim@ex.com', 'Vic Tim');
});
afterAll(() => service.stop());

const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

async function signWithPublicKeyAsSecret(token: string) {
  const { keys } = await readPublicKeys(service.db);
  const pem = await exportSPKI((await importJWK(keys[0] ?? {}, 'RS256', { extractable: true })) as CryptoKey);
  const unsigned = `${base64url({ ...decodeProtectedHeader(token), alg: 'HS256' })}.${base64url(decodeJwt(token))}`;
  return `${unsigned}.${createHmac('sha256', pem).update(unsigned).digest('base64url')}`;
}

async function signWithOtherKey(token: string, header: object = {}) {
  const { privateKey } = await generateKeyPair('RS256');
  const protectedHeader = { ...decodeProtectedHeader(token), ...header } as { alg: string };
  return new SignJWT(decodeJwt(token)).setProtectedHeader(protectedHeader).sign(privateKey);
}

async function signWithServiceKey(claims: object, typ: string) {
  const [row] = await service.db.select().from(identityKeys);
  const key = await importJWK(row?.privateJwk as { kty: string }, 'RS256');
  return new SignJWT({ ...claims }).setProtectedHeader({ alg: 'RS256', kid: row?.kid ?? '', typ }).sign(key);
}

const replaceClaims = (token: string, claims: object) => {
  const [header, , signature] = token.split('.');
  return `${header}.${base64url({ ...decodeJwt(token), ...claims })}.${signature}`;
};

/** Ways to forge an ID token or a Google credential from a valid one. */
const FORGERIES: Record<string, (token: string) => string | Promise<string>> = {
  'a token without a signature': (token) => new UnsecuredJWT(decodeJwt(token)).encode(),
  'plain JSON': (token) => JSON.stringify(decodeJwt(token)),
  'a token signed with the public key as a shared secret': signWithPublicKeyAsSecret,
  "a token of another key with the service's key id": (token) => signWithOtherKey(token),
  'a token of an unknown key': (token) => signWithOtherKey(token, { kid: '0'.repeat(40) }),
  'a token with a NUL in its key id': (token) => signWithOtherKey(token, { kid: '\u0000' }),
  'a token with a changed subject': (token) => replaceClaims(token, { sub: 'somebody' }),
  'a token without its third part': (token) => token.split('.').slice(0, 2).join('.'),
  garbage: () => 'garbage',
};

describe.each(Object.entries(FORGERIES))('%s', (_name, forge) => {
  test('is refused as an ID token', async () => {
    const { status, body } = await callAccounts(service.url, 'lookup', { idToken: await forge(idToken) });
    expect([status, body.error?.message]).toEqual([400, 'INVALID_ID_TOKEN']);
  });

  test('is refused as a Google credential', async () => {
    const { status, body } = await signInWithGoogle(service.url, await forge(credential));
    expect([status, body.error?.message.split(' : ')[0]]).toEqual([400, 'INVALID_IDP_RESPONSE']);
  });
});

const oneSecondAgo = () => Math.floor(Date.now() / 1000) - 1;

test.each([
  ['for another project', () => ({ ...decodeJwt(idToken), aud: 'another' })],
  ['by another issuer', () => ({ ...decodeJwt(idToken), iss: 'https://securetoken.google.com/another' })],
  ['that has expired', () => ({ ...decodeJwt(idToken), exp: oneSecondAgo() })],
])("a token %s is refused as an ID token, even if it is signed with the service's own key", async (_name, claims) => {
  const { body } = await callAccounts(service.url, 'lookup', { idToken: await signWithServiceKey(claims(), 'JWT') });
  expect(body.error?.message).toBe('INVALID_ID_TOKEN');
});

test("a token of another type is refused as an ID token, even if it is signed with the service's own key", async () => {
  const retyped = await signWithServiceKey(decodeJwt(idToken), 'at+jwt');
  const { body } = await callAccounts(service.url, 'lookup', { idToken: retyped });
  expect(body.error?.message).toBe('INVALID_ID_TOKEN');
});

test('an ID token is not accepted as a Google credential, nor a Google credential as an ID token', async () => {
  const asCredential = await signInWithGoogle(service.url, idToken);
  const asIdToken = await callAccounts(service.url, 'lookup', { idToken: credential });
  const retyped = await signWithServiceKey(decodeJwt(credential), 'JWT');

  expect(asCredential.body.error?.message).toMatch(/^INVALID_IDP_RESPONSE/);
  expect(asIdToken.body.error?.message).toBe('INVALID_ID_TOKEN');
  expect((await signInWithGoogle(service.url, retyped)).body.error?.message).toMatch(/^INVALID_IDP_RESPONSE/);
});

test('control: a valid ID token and a valid Google credential are accepted', async () => {
  expect(decodeJwt(credential)).toMatchObject({ iss: `${PUBLIC_URL}/identity/google`, aud: 'forgeline-local-google' });
  expect((await callAccounts(service.url, 'lookup', { idToken })).status).toBe(200);
  expect((await signInWithGoogle(service.url, credential)).status).toBe(200);
  expect(
    (await callAccounts(service.url, 'lookup', { idToken: await signWithServiceKey(decodeJwt(idToken), 'JWT') }))
      .status,
  ).toBe(200);
});
