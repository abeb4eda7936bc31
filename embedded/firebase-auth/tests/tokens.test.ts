import { sql } from 'drizzle-orm';
import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose';
import { refreshIdToken, startIdentity } from '../../../__tests__/support/identity';
import { createKeyCache } from '../keyCache';
import { callAccounts } from '../../../__tests__/support/customers';

describe('ID tokens', () => {
  const clock = { ms: Date.parse('2030-01-01T00:00:00Z') };
  const advanceMinutes = (count: number) => void (clock.ms += count * 60_000);
  let service: Awaited<ReturnType<typeof startIdentity>>;
  let personCount = 0;

  beforeAll(async () => {
    service = await startIdentity({ now: () => new Date(clock.ms) });
  });
  afterAll(() => service.stop());

  async function newPerson() {
    const email = `person${(personCount += 1)}@ex.com`;
    const { body } = await callAccounts(service.url, 'signUp', {
      email,
      password: 'secret-1',
      returnSecureToken: true,
    });
    return {
      email,
      localId: String(body.localId),
      idToken: String(body.idToken),
      refreshToken: String(body.refreshToken),
    };
  }

  const renew = (refreshToken: string) =>
    refreshIdToken(service.url, { grant_type: 'refresh_token', refresh_token: refreshToken });
  const messageOf = ({ body }: { body: { error?: { message: string } } }) => body.error?.message;

  // Clause C.10.3
  test('an ID token has Firebase’s claims and is signed with RS256 by a published key', async () => {
    const { email, localId, idToken } = await newPerson();
    const keys = createRemoteJWKSet(new URL(`${service.url}/identitytoolkit.googleapis.com/v1/.well-known/jwks.json`));
    const { payload, protectedHeader } = await jwtVerify(idToken, keys, {
      algorithms: ['RS256'],
      issuer: 'https://securetoken.google.com/forgeline-local',
      audience: 'forgeline-local',
      currentDate: new Date(clock.ms),
    });
    const at = clock.ms / 1000;
    expect(localId).toMatch(/^[A-Za-z0-9]{28}$/);
    expect(protectedHeader).toEqual({
      alg: 'RS256',
      typ: 'JWT',
      kid: expect.stringMatching(/^[0-9a-f]{40}$/) as string,
    });
    expect(payload).toEqual({
      iss: 'https://securetoken.google.com/forgeline-local',
      aud: 'forgeline-local',
      auth_time: at,
      user_id: localId,
      sub: localId,
      iat: at,
      exp: at + 3600,
      email,
      email_verified: false,
      firebase: { identities: { email: [email] }, sign_in_provider: 'password' },
    });
  });

  test('the published key set contains no private keys and can be cached', async () => {
    const response = await fetch(`${service.url}/identitytoolkit.googleapis.com/v1/.well-known/jwks.json`);
    const { keys } = (await response.json()) as { keys: object[] };
    expect(response.headers.get('cache-control')).toBe('public, max-age=300');
    for (const key of keys) expect(Object.keys(key).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
  });

  test('a token whose key cannot be read is not refused, because it may be valid', async () => {
    const { localId, idToken } = await newPerson();
    const lookup = () => callAccounts(service.url, 'lookup', { idToken });
    await service.db.execute(sql`alter table embedded_identity.keys rename to moved_keys`);
    const duringFailure = await lookup();
    await service.db.execute(sql`alter table embedded_identity.moved_keys rename to keys`);
    expect([duringFailure.status, messageOf(duringFailure)]).toEqual([503, 'INTERNAL_ERROR']);
    expect((await lookup()).body).toMatchObject({ users: [{ localId }] });
  });

  test('a new password ends every other session', async () => {
    const { email, refreshToken, idToken } = await newPerson();
    advanceMinutes(1);
    const changed = await callAccounts(service.url, 'update', {
      idToken,
      password: 'secret-2',
      returnSecureToken: true,
    });
    expect(messageOf(await renew(refreshToken))).toBe('TOKEN_EXPIRED');
    expect(messageOf(await callAccounts(service.url, 'lookup', { idToken }))).toBe('TOKEN_EXPIRED');
    expect((await renew(String(changed.body.refreshToken))).status).toBe(200);
    expect(messageOf(await callAccounts(service.url, 'signInWithPassword', { email, password: 'secret-1' }))).toBe(
      'INVALID_LOGIN_CREDENTIALS',
    );
  });

  test('a login with the old password during the change of the password leaves no valid session', async () => {
    const { email, idToken } = await newPerson();
    const changing = callAccounts(service.url, 'update', { idToken, password: 'secret-2', returnSecureToken: true });
    const logins = Array.from({ length: 6 }, () =>
      callAccounts(service.url, 'signInWithPassword', { email, password: 'secret-1' }),
    );
    expect((await changing).status).toBe(200);
    for (const { body } of await Promise.all(logins)) {
      const after = body.refreshToken ? await renew(String(body.refreshToken)) : { body };
      expect(messageOf(after)).toMatch(/^(INVALID_LOGIN_CREDENTIALS|TOKEN_EXPIRED)$/);
    }
  });

  test('changing the password or the email and deleting the account require a recent login', async () => {
    const { refreshToken, idToken: firstToken } = await newPerson();
    advanceMinutes(5);
    const inTime = await callAccounts(service.url, 'update', { idToken: firstToken, password: 'secret-3' });
    expect(inTime.status).toBe(200);
    clock.ms += 1000;
    const idToken = (await renew(String(inTime.body.refreshToken))).body.id_token;
    expect(messageOf(await renew(refreshToken))).toBe('TOKEN_EXPIRED');
    for (const [name, change] of Object.entries({ password: 'secret-2', email: 'other@ex.com' })) {
      expect(messageOf(await callAccounts(service.url, 'update', { idToken, [name]: change }))).toBe(
        'CREDENTIAL_TOO_OLD_LOGIN_AGAIN',
      );
    }
    expect(messageOf(await callAccounts(service.url, 'delete', { idToken }))).toBe('CREDENTIAL_TOO_OLD_LOGIN_AGAIN');
    expect((await callAccounts(service.url, 'update', { idToken, displayName: 'Ann' })).status).toBe(200);
  });

  // Clause C.17.3
  test('demo accounts are created only once and are never overwritten', async () => {
    const account = { email: ' Demo@Ex.com', password: 'forgeline-demo', displayName: 'Demo', emailVerified: true };
    await service.identity.ensureAccount(account);
    await service.identity.ensureAccount({ ...account, password: 'another-one' });
    const { body } = await callAccounts(service.url, 'signInWithPassword', {
      email: 'demo@ex.com',
      password: 'forgeline-demo',
    });
    expect(decodeJwt(String(body.idToken))).toMatchObject({ email: 'demo@ex.com', email_verified: true, name: 'Demo' });
  });
});

describe('Refresh tokens', () => {
  const DAY_MS = 86_400_000;
  const clock = { ms: Date.parse('2030-01-01T00:00:00Z') };
  let service: Awaited<ReturnType<typeof startIdentity>>;
  let personCount = 0;

  beforeAll(async () => {
    service = await startIdentity({ now: () => new Date(clock.ms) });
  });
  afterAll(() => service.stop());

  async function newSession() {
    const email = `person${(personCount += 1)}@ex.com`;
    const { body } = await callAccounts(service.url, 'signUp', {
      email,
      password: 'secret-1',
      returnSecureToken: true,
    });
    return String(body.refreshToken);
  }
  const renew = (token: string) => refreshIdToken(service.url, { grant_type: 'refresh_token', refresh_token: token });

  test('a refresh token expires when it is not used for 30 days', async () => {
    const [used, unused, lastDay] = [await newSession(), await newSession(), await newSession()];
    clock.ms += 29 * DAY_MS;
    expect((await renew(used)).status).toBe(200);
    clock.ms += DAY_MS;
    expect((await renew(lastDay)).status).toBe(200);
    clock.ms += 1;
    const { status, body } = await renew(unused);
    expect([status, body.error?.message]).toEqual([400, 'TOKEN_EXPIRED']);
    const { body: renewed } = await renew(used);
    expect(decodeJwt(String(renewed.id_token))).toMatchObject({ iat: Math.floor(clock.ms / 1000) });
  });

  test('a renewed ID token is valid for one hour, however long ago the user signed in', async () => {
    const token = await newSession();
    const signedInAt = Math.floor(clock.ms / 1000);
    clock.ms += 2 * DAY_MS;
    const { body } = await renew(token);
    const iat = Math.floor(clock.ms / 1000);
    expect(body.expires_in).toBe('3600');
    expect(decodeJwt(String(body.id_token))).toMatchObject({ auth_time: signedInAt, iat, exp: iat + 3600 });
  });
});

describe('The cache of keys', () => {
  const KID = 'a'.repeat(40);
  const OTHER_KID = 'b'.repeat(40);

  let clock = 0;
  beforeAll(() => void jest.spyOn(performance, 'now').mockImplementation(() => clock));
  afterAll(() => jest.restoreAllMocks());

  /** Opens a cache of keys that counts how often it reads them. Its waits advance the clock. */
  function openCache(...kids: string[]) {
    const published = new Set(kids);
    const state = { reads: 0, waits: [] as number[] };
    const readKeys = async () => {
      state.reads += 1;
      return { keys: [...published].map((kid) => ({ kid, kty: 'RSA' })) };
    };
    const findKey = createKeyCache(readKeys, async (ms) => {
      state.waits.push(ms);
      clock += ms;
    });
    return { findKey, published, state };
  }

  test('an unknown key id causes a new read, at least 200 milliseconds after the last one began', async () => {
    const { findKey, published, state } = openCache(KID);
    await findKey(KID);
    clock += 50;
    published.add(OTHER_KID);
    const found = await Promise.all([findKey(OTHER_KID), findKey(OTHER_KID), findKey('c'.repeat(40))]);
    expect(found).toEqual([{ kid: OTHER_KID, kty: 'RSA' }, { kid: OTHER_KID, kty: 'RSA' }, undefined]);
    expect(state).toEqual({ reads: 2, waits: [0, 150] });
  });

  test('the keys are read again when they are older than a minute, so that a withdrawn key is not found', async () => {
    const { findKey, published, state } = openCache(KID);
    await findKey(KID);
    published.delete(KID);
    clock += 60_000;
    expect(await findKey(KID)).toBeDefined();
    clock += 1;
    expect(await findKey(KID)).toBeUndefined();
    expect(state.reads).toBe(2);
  });
});

describe('Times of sign-ins', () => {
  const START = Date.parse('2030-01-01T00:00:00Z');
  const account = { email: 'ann@ex.com', password: 'secret-1' };
  let clock = START;
  let service: Awaited<ReturnType<typeof startIdentity>>;
  beforeAll(async () => {
    service = await startIdentity({ now: () => new Date(clock) });
  });
  afterAll(() => service.stop());

  async function authTimeOf(endpoint: string) {
    const { body } = await callAccounts(service.url, endpoint, account);
    return Number(decodeJwt(String(body.idToken))['auth_time']) - START / 1000;
  }

  test('each sign-in of an account has a second of its own, which is at most 30 seconds ahead', async () => {
    clock = START + 250;
    const authTimes = [await authTimeOf('signUp')];
    for (let n = 0; n < 31; n += 1) authTimes.push(await authTimeOf('signInWithPassword'));
    expect(authTimes).toEqual([...Array.from({ length: 31 }, (_, second) => second), 0]);

    clock = START + 1000;
    expect(await authTimeOf('signInWithPassword')).toBe(31);
    clock = START + 60_000;
    expect(await authTimeOf('signInWithPassword')).toBe(60);
  });
});
