import { createHash, createHmac } from 'node:crypto';
import { SignJWT, exportJWK, exportSPKI, importJWK, UnsecuredJWT, type CryptoKey } from 'jose';
import { createAccessTokens } from '../../../server/auth/accessTokens';
import { callShop, putUser } from '../../support/api';
import { claimsOf, FIREBASE_ENV, createSigningKey, signToken } from '../../support/googleTokens';
import { startShop, startShopWithGoogle, type ShopWithGoogle } from '../../support/shop';
import { createRefusedTokenCounter } from '../../../server/auth/refusedTokens';
import type { ProblemError } from '../../../server/http/problems';

const PROJECT = FIREBASE_ENV.FIREBASE_PROJECT_ID;

describe('Access tokens', () => {
  const SECRET = 'a secret of at least thirty-two bytes, for this test alone';
  const kid = createHash('sha256').update(SECRET).digest('base64url').slice(0, 8);
  const HEADER = { alg: 'HS256', typ: 'at+jwt', kid };
  const ISSUED_AT = new Date('2026-05-04T10:00:00.250Z');
  const issuedAtSeconds = ISSUED_AT.getTime() / 1000;
  const CLAIMS = {
    iss: 'forgeline',
    aud: 'forgeline',
    sub: 'ann',
    iat: issuedAtSeconds,
    exp: Math.floor(issuedAtSeconds) + 3600,
  };

  let now = ISSUED_AT;
  const tokens = createAccessTokens(SECRET, () => now);
  beforeEach(() => void (now = ISSUED_AT));

  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  function sign(header: object, claims: object, { secret = SECRET, hash = 'sha256' } = {}): string {
    const text = `${encode(header)}.${encode(claims)}`;
    return `${text}.${createHmac(hash, secret).update(text).digest('base64url')}`;
  }
  const resultOf = (token: string): string => {
    try {
      return `accepted for ${tokens.verify(token).userId}`;
    } catch (error) {
      return (error as { code: string }).code;
    }
  };
  const without = (name: keyof typeof CLAIMS) =>
    Object.fromEntries(Object.entries(CLAIMS).filter(([key]) => key !== name));

  test('an access token contains its user and the time at which it was issued, in milliseconds', () => {
    expect(tokens.verify(tokens.issue('ann'))).toEqual({ userId: 'ann', issuedAt: ISSUED_AT });
    expect(resultOf(sign(HEADER, CLAIMS))).toBe('accepted for ann');
  });

  const [head, body, signature] = sign(HEADER, CLAIMS).split('.') as [string, string, string];
  const FORGED: Record<string, string> = {
    'another secret': sign(HEADER, CLAIMS, { secret: 'another' }),
    'alg none': `${encode({ ...HEADER, alg: 'none' })}.${body}.`,
    'alg none with our signature': `${encode({ ...HEADER, alg: 'none' })}.${body}.${signature}`,
    'no signature': `${head}.${body}.`,
    'a truncated signature': `${head}.${body}.${signature.slice(0, -1)}`,
    'a padded signature': `${head}.${body}.${signature}=`,
    HS512: sign({ ...HEADER, alg: 'HS512' }, CLAIMS, { hash: 'sha512' }),
    'the type of an ID token': sign({ ...HEADER, typ: 'JWT' }, CLAIMS),
    'no type': sign({ alg: 'HS256', kid }, CLAIMS),
    'another key id': sign({ ...HEADER, kid: 'other' }, CLAIMS),
    'no key id': sign({ alg: 'HS256', typ: 'at+jwt' }, CLAIMS),
    'an unknown critical header': sign({ ...HEADER, crit: ['x'], x: 1 }, CLAIMS),
    'a key in its own header': sign({ ...HEADER, jwk: { kty: 'oct', k: 'AA' } }, CLAIMS),
    'claims changed after signing': `${head}.${encode({ ...CLAIMS, sub: 'bob' })}.${signature}`,
    'four parts': `${head}.${body}.${signature}.x`,
    'two parts': `${head}.${body}`,
    'another issuer': sign(HEADER, { ...CLAIMS, iss: 'other' }),
    'another audience': sign(HEADER, { ...CLAIMS, aud: 'other' }),
    'no issuer': sign(HEADER, without('iss')),
    'no audience': sign(HEADER, without('aud')),
    'no subject': sign(HEADER, without('sub')),
    'a subject that is a number': sign(HEADER, { ...CLAIMS, sub: 1 }),
    'no expiry': sign(HEADER, without('exp')),
    'an expiry that is text': sign(HEADER, { ...CLAIMS, exp: '9999999999' }),
    'no time of issue': sign(HEADER, without('iat')),
    'an empty string': '',
  };

  test.each(Object.entries(FORGED))('a forged or invalid access token is refused: %s', (_case, token) => {
    expect(resultOf(token)).toBe('token_invalid');
  });

  const TEN_YEARS_SECONDS = 10 * 365 * 24 * 3600;
  test.each([
    ['valid for ten years', { exp: CLAIMS.exp + TEN_YEARS_SECONDS }],
    ['valid for 61 minutes', { exp: CLAIMS.exp + 60 }],
    [
      'valid for an hour that begins in ten years',
      { iat: issuedAtSeconds + TEN_YEARS_SECONDS, exp: CLAIMS.exp + TEN_YEARS_SECONDS },
    ],
    ['from a sign-in that is ten years in the future', { auth_time: issuedAtSeconds + TEN_YEARS_SECONDS }],
    ['from a sign-in whose time is a text', { auth_time: 'now' }],
    ['from a sign-in before 1970', { auth_time: -1 }],
    ['from a sign-in more than an hour after it', { auth_time: issuedAtSeconds + 3600.001 }],
    ['valid for a millisecond more than an hour', { exp: issuedAtSeconds + 3600.001 }],
    ['issued more than an hour from now', { iat: issuedAtSeconds + 3600.001, exp: issuedAtSeconds + 3601 }],
  ])("an access token that is signed with the shop's secret is refused if it is %s", (_case, claims) => {
    expect(resultOf(sign(HEADER, { ...CLAIMS, ...claims }))).toBe('token_invalid');
  });

  test.each([
    ['valid for exactly an hour', { iat: issuedAtSeconds, exp: issuedAtSeconds + 3600 }],
    ['issued an hour from now', { iat: issuedAtSeconds + 3600, exp: issuedAtSeconds + 3601 }],
    ['from a sign-in in 1970', { auth_time: 0 }],
    ['from a sign-in an hour after it', { auth_time: issuedAtSeconds + 3600 }],
  ])("an access token that is signed with the shop's secret is accepted if it is %s", (_case, claims) => {
    expect(resultOf(sign(HEADER, { ...CLAIMS, ...claims }))).toBe('accepted for ann');
  });

  test("an access token contains the time of its sign-in, and an admin's token expires after ten minutes, with a tolerance of one minute", () => {
    const authTime = new Date('2026-05-04T09:00:00Z');
    expect(tokens.verify(tokens.issue('ann', { authTime }))).toEqual({ userId: 'ann', issuedAt: ISSUED_AT, authTime });
    const token = tokens.issue('ann', { forAdmin: true });
    now = new Date(ISSUED_AT.getTime() + 659_000);
    expect(resultOf(token)).toBe('accepted for ann');
    now = new Date(ISSUED_AT.getTime() + 661_000);
    expect(resultOf(token)).toBe('token_expired');
  });

  // Clause C.11.2
  test('an access token expires after an hour, with a tolerance of one minute', () => {
    const token = tokens.issue('ann');
    now = new Date((CLAIMS.exp + 60) * 1000 - 1);
    expect(resultOf(token)).toBe('accepted for ann');
    now = new Date((CLAIMS.exp + 60) * 1000);
    expect(resultOf(token)).toBe('token_expired');
  });
});

describe('ID tokens', () => {
  const EMAIL = 'ann@shop.example';
  const HOUR_SECONDS = 3600;

  let shop: ShopWithGoogle;
  let google: ShopWithGoogle['google'];
  let otherKey: ShopWithGoogle['google']['key'];

  beforeAll(async () => {
    shop = await startShopWithGoogle();
    ({ google } = shop);
    otherKey = await createSigningKey('key-1');
  });
  afterAll(() => shop.close());

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
    'another issuer': () => createToken({ iss: `https://securetoken.google.com/${PROJECT}.evil.example` }),
    'a session cookie': () => createToken({ iss: `https://session.firebase.google.com/${PROJECT}` }),
    'without expiry': () => createToken({ exp: undefined }),
    'a lifetime of more than an hour': () => createToken({ iat: nowSeconds(), exp: nowSeconds() + HOUR_SECONDS + 1 }),
    'without issue time': () => createToken({ iat: undefined }),
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
  test.each(Object.entries(FORGERIES))(
    'every forged or invalid ID token gets the same 401: %s',
    async (_name, forge) => {
      const { status, body, headers } = await putUser(shop.origin, EMAIL, await forge());
      expect(status).toBe(401);
      expect(headers.get('content-type')).toBe('application/problem+json');
      expect(JSON.stringify({ ...body, instance: '' })).toBe(
        '{"type":"/problems/token_invalid","title":"Invalid token","status":401,"code":"token_invalid","detail":"Your session is not valid. Please log in again.","instance":""}',
      );
    },
  );

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
});

describe('Refused tokens', () => {
  const START = Date.parse('2030-01-01T00:00:00Z');
  const NETWORK = '203.0.113.9';
  const SECOND = 1000;

  /** Opens a counter whose rate limit counts its calls, and refuses after `max` hits until `state.isRefusing` is false. */
  function openCounter(max = 2) {
    const state = { now: START, calls: [] as unknown[][], isRefusing: true };
    const count = createRefusedTokenCounter({
      now: () => new Date(state.now),
      limit: async (...call) => {
        state.calls.push(call);
        const ok = !state.isRefusing || state.calls.length <= max;
        return { ok, retryAfterSeconds: ok ? 0 : 60 };
      },
    });
    const countToken = (network = NETWORK) =>
      count(network).then(
        () => 'counted',
        ({ status, detail, extra }: ProblemError) => [status, detail, extra.retryAfter],
      );
    return { countToken, state };
  }

  const refusal = (seconds: number) => [429, `Too many attempts. Wait ${seconds} seconds and try again.`, seconds];

  test('once a network has reached the limit, its refused tokens cause no more queries until the window ends', async () => {
    const { countToken, state } = openCounter();
    expect([await countToken(), await countToken(), await countToken()]).toEqual(['counted', 'counted', refusal(60)]);
    expect(await countToken()).toEqual(refusal(60));
    state.now += 20.5 * SECOND;
    expect(await countToken()).toEqual(refusal(40));
    state.now += 39 * SECOND;
    expect(await countToken()).toEqual(refusal(1));
    expect(state.calls).toHaveLength(3);

    state.now += SECOND / 2;
    state.isRefusing = false;
    expect(await countToken()).toBe('counted');
    expect(state.calls).toHaveLength(4);
  });
});
