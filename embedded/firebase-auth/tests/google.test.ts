import {
  decodeJwt,
  decodeProtectedHeader,
  exportSPKI,
  generateKeyPair,
  importJWK,
  SignJWT,
  UnsecuredJWT,
  type JSONWebKeySet,
} from 'jose';
import { createHmac } from 'node:crypto';
import {
  openTestDatabase,
  createGoogleCredential,
  refreshIdToken,
  signInWithGoogle,
  startIdentity,
} from '../../../__tests__/support/identity';
import { identityKeys } from '../schema';
import { callAccounts } from '../../../__tests__/support/customers';

describe('Google', () => {
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
});

describe('Forged credentials', () => {
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
    const response = await fetch(`${service.url}/identitytoolkit.googleapis.com/v1/.well-known/jwks.json`);
    const { keys } = (await response.json()) as JSONWebKeySet;
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
    expect(decodeJwt(credential)).toMatchObject({
      iss: 'http://shop.example/identity/google',
      aud: 'forgeline-local-google',
    });
    expect((await callAccounts(service.url, 'lookup', { idToken })).status).toBe(200);
    expect((await signInWithGoogle(service.url, credential)).status).toBe(200);
    expect(
      (await callAccounts(service.url, 'lookup', { idToken: await signWithServiceKey(decodeJwt(idToken), 'JWT') }))
        .status,
    ).toBe(200);
  });
});
