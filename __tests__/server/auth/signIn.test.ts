import { generateKeyPair, SignJWT } from 'jose';
import { Writable } from 'node:stream';
import pino from 'pino';
import { putUser } from '../../support/api';
import { newEmail, callAccounts } from '../../support/customers';
import { claimsOf, createSigningKey, signToken, startGoogle } from '../../support/googleTokens';
import { startShop, startShopWithGoogle } from '../../support/shop';
import { createGoogleKeyFinder } from '../../../server/auth/googleKeys';
import { createAccountLookup } from '../../../server/auth/accountStatus';

describe('The limits of sign-in', () => {
  type SignInResponse = { status: number; headers: Headers };
  async function sendInSequence(times: number, send: (n: number) => Promise<SignInResponse>) {
    const responses = [];
    for (let n = 0; n < times; n += 1) responses.push(await send(n));
    return responses;
  }
  const statuses = (responses: SignInResponse[]) => responses.map(({ status }) => status);
  const RATE_LIMITED = { RATE_LIMIT: 'on' };

  test('a user can sign in ten times a minute and then gets a 429 with Retry-After', async () => {
    let clock = Date.now();
    const shop = await startShopWithGoogle({ env: RATE_LIMITED, now: () => new Date(clock) });
    try {
      const ann = newEmail('ann');
      const annsResponses = await sendInSequence(11, () => shop.signIn(ann));
      expect(statuses(annsResponses)).toEqual([...Array<number>(10).fill(200), 429]);
      expect(Number(annsResponses[10]!.headers.get('retry-after'))).toBeGreaterThan(0);
      expect((await shop.signIn(newEmail('bob'))).status).toBe(200);

      clock += 61_000;
      expect((await shop.signIn(ann)).status).toBe(200);
    } finally {
      await shop.close();
    }
  });

  test('a caller who keeps sending invalid tokens gets a 429, but other users of the same network can still sign in', async () => {
    let clock = Date.now();
    const shop = await startShopWithGoogle({ env: RATE_LIMITED, now: () => new Date(clock) });
    try {
      const [ann, bob] = [newEmail('ann'), newEmail('bob')];
      expect((await shop.signIn(ann)).status).toBe(200);
      const forgedKey = await createSigningKey('key-1');
      const sendInvalidToken = [
        () => putUser(shop.origin, ann, 'nonsense'),
        async (n: number) =>
          putUser(shop.origin, ann, await signToken(claimsOf(`p${n}@x.example`, new Date(clock)), forgedKey)),
        () => putUser(shop.origin, ann),
      ];
      const refused = await sendInSequence(200, (n) => sendInvalidToken[n % sendInvalidToken.length]!(n));
      expect(statuses(refused)).toEqual([...Array<number>(100).fill(401), ...Array<number>(100).fill(429)]);
      expect(Number(refused.at(-1)!.headers.get('retry-after'))).toBeGreaterThan(0);

      expect([(await shop.signIn(ann)).status, (await shop.signIn(bob)).status]).toEqual([200, 200]);
      clock += 61_000;
      expect((await putUser(shop.origin, ann, 'nonsense')).status).toBe(401);
    } finally {
      await shop.close();
    }
  });

  test('sign-ins above the limit cause no account lookups', async () => {
    const shop = await startShopWithGoogle({ env: RATE_LIMITED });
    try {
      const ann = newEmail('ann');
      await sendInSequence(30, () => shop.signIn(ann));
      expect(shop.google.state.lookUps).toBe(10);
    } finally {
      await shop.close();
    }
  });

  test('many tokens with unknown key ids cause few reads of the signing keys, and a valid token is still accepted', async () => {
    const shop = await startShop({ env: RATE_LIMITED });
    try {
      const email = newEmail('ann');
      const { body } = await callAccounts(shop.origin, 'signUp', {
        email,
        password: 'a-new-password',
        returnSecureToken: true,
      });
      const { privateKey } = await generateKeyPair('RS256');
      const querySpy = jest.spyOn(shop.deps.db.$client, 'query');
      const sendUnknownKeyId = async (_: unknown, n: number) => {
        const kid = n.toString(16).padStart(40, '0');
        const token = new SignJWT({}).setProtectedHeader({ alg: 'RS256', kid }).sign(privateKey);
        return putUser(shop.origin, email, await token);
      };
      const responses = Promise.all(Array.from({ length: 300 }, sendUnknownKeyId));
      const validSignIn = putUser(shop.origin, email, String(body.idToken));
      expect(new Set(statuses(await responses))).toEqual(new Set([401, 429]));
      expect((await validSignIn).status).toBe(200);
      const keyReads = querySpy.mock.calls.filter(([query]) => JSON.stringify(query).includes('private_jwk'));
      expect(keyReads.length).toBeGreaterThan(0);
      expect(keyReads.length).toBeLessThan(20);
    } finally {
      await shop.close();
    }
  });

  test('an ID token that another server has signed with a new key is accepted immediately', async () => {
    let clock = Date.now();
    const now = () => new Date(clock);
    const shop = await startShop({ now });
    const otherServer = await startShop({ now, connection: shop.database!.connection });
    try {
      const email = newEmail('ann');
      const credentials = { email, password: 'signed-elsewhere', returnSecureToken: true };
      const { body } = await callAccounts(shop.origin, 'signUp', credentials);
      expect((await putUser(shop.origin, email, String(body.idToken))).status).toBe(200);

      clock += 31 * 24 * 3_600_000;
      const renewed = await callAccounts(otherServer.origin, 'signInWithPassword', credentials);
      expect((await putUser(shop.origin, email, String(renewed.body.idToken))).status).toBe(200);
    } finally {
      await otherServer.close();
      await shop.close();
    }
  });

  test('sign-in answers 503 while no signing keys can be read', async () => {
    const shop = await startShopWithGoogle();
    try {
      shop.google.state.fault = 'error';
      const { status, body, headers } = await shop.signIn(newEmail());
      expect([status, body.code]).toEqual([503, 'identity_provider_unavailable']);
      expect(headers.get('retry-after')).toBe('5');
    } finally {
      await shop.close();
    }
  });
});

describe('The keys of Google', () => {
  const PROVIDER_DOWN = { status: 503, code: 'identity_provider_unavailable' };
  const SECOND = 1000;
  const HOUR = 3600 * SECOND;
  let google: Awaited<ReturnType<typeof startGoogle>>;
  let clock: number;

  beforeEach(async () => {
    google = await startGoogle();
    clock = Date.parse('2026-01-01T00:00:00Z');
  });
  afterEach(() => google.stop());

  const openKeyFinder = () => createGoogleKeyFinder({ url: google.endpoints.keys, now: () => new Date(clock) });

  test("Google's signing keys are cached as long as the response headers allow", async () => {
    const findKey = openKeyFinder();
    await Promise.all([findKey('key-1'), findKey('key-1'), findKey('key-1')]);
    clock += HOUR - SECOND;
    expect(await findKey('key-1')).toMatchObject({ kid: 'key-1', kty: 'RSA' });
    expect(google.state.keyRequests).toBe(1);
    clock += SECOND;
    await findKey('key-1');
    expect(google.state.keyRequests).toBe(2);
  });

  test("an unknown key id causes Google's signing keys to be fetched again, which also removes withdrawn keys", async () => {
    const findKey = openKeyFinder();
    await findKey('key-1');
    google.state.keys = [await createSigningKey('key-2')];
    clock += 30 * SECOND - 1;
    expect(await findKey('key-2')).toBeUndefined();
    clock += 1;
    expect(await findKey('key-2')).toMatchObject({ kid: 'key-2' });
    expect(await findKey('key-1')).toBeUndefined();
  });

  test.each(['error', 'empty', 'nonsense'] as const)(
    'cached signing keys are used for another day after they expire if new keys cannot be fetched (%s)',
    async (fault) => {
      const findKey = openKeyFinder();
      await findKey('key-1');
      google.state.fault = fault;
      clock += HOUR + 24 * HOUR - 1;
      expect(await findKey('key-1')).toMatchObject({ kid: 'key-1' });
      clock += 1;
      await expect(findKey('key-1')).rejects.toMatchObject(PROVIDER_DOWN);
      google.state.fault = '';
      clock += 2 * SECOND;
      expect(await findKey('key-1')).toMatchObject({ kid: 'key-1' });
    },
  );

  test("looking up a signing key fails until Google's keys can be fetched", async () => {
    google.state.fault = 'error';
    const findKey = openKeyFinder();
    await expect(findKey('key-1')).rejects.toMatchObject(PROVIDER_DOWN);
    google.state.fault = '';
    clock += 2 * SECOND - 1;
    await expect(findKey('key-1')).rejects.toMatchObject(PROVIDER_DOWN);
    expect(google.state.keyRequests).toBe(1);
    clock += 1;
    expect(await findKey('key-1')).toMatchObject({ kid: 'key-1' });
    expect(await findKey('key-2')).toBeUndefined();
  });

  test('during an outage, looking up an unknown key id fails, because the key could be new', async () => {
    const findKey = openKeyFinder();
    await findKey('key-1');
    google.state.fault = 'error';
    clock += 31 * SECOND;
    await expect(findKey('key-2')).rejects.toMatchObject(PROVIDER_DOWN);
    expect(await findKey('key-1')).toMatchObject({ kid: 'key-1' });
  });

  test('after the clock was set back by an hour, an unknown key id still causes a fetch', async () => {
    const findKey = openKeyFinder();
    await findKey('key-1');
    google.state.keys = [await createSigningKey('key-2')];
    clock -= HOUR;
    expect(await findKey('key-2')).toMatchObject({ kid: 'key-2' });
  });

  test('a fetch of signing keys from Google times out after five seconds', async () => {
    google.state.fault = 'silence';
    const { timeout } = AbortSignal;
    const timeoutSpy = jest
      .spyOn(AbortSignal, 'timeout')
      .mockImplementation((ms) => timeout.call(AbortSignal, ms / 100));
    await expect(openKeyFinder()('key-1')).rejects.toMatchObject(PROVIDER_DOWN);
    expect(timeoutSpy.mock.calls).toEqual([[5000]]);
    timeoutSpy.mockRestore();
  });
});

describe('Account lookups of the shop', () => {
  const logText: string[] = [];
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      logText.push(chunk.toString());
      done();
    },
  });
  const warnings = () =>
    logText
      .join('')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { level: number; msg: string; failures: number; reason: string })
      .filter(({ msg }) => msg === 'account lookup failed, sign-in allowed');

  let clock = Date.now();
  let shop: Awaited<ReturnType<typeof startShopWithGoogle>>;
  beforeAll(async () => {
    shop = await startShopWithGoogle({ logger: pino(sink), now: () => new Date(clock) });
  });
  beforeEach(() => void (logText.length = 0));
  afterAll(() => shop.close());

  const readFailureCount = async () => {
    const metrics = await (await fetch(`${shop.origin}/metrics`)).text();
    return Number(/^forgeline_account_look_up_failures_total (\d+)$/m.exec(metrics)?.[1]);
  };

  test('a failed account lookup does not block sign-in, is counted, and is logged at most once a minute', async () => {
    expect(await readFailureCount()).toBe(0);
    expect((await shop.signIn(newEmail())).status).toBe(200);
    expect(await readFailureCount()).toBe(0);

    shop.google.state.account = undefined;
    for (let n = 0; n < 20; n += 1) expect((await shop.signIn(newEmail())).status).toBe(200);
    expect(await readFailureCount()).toBe(20);
    expect(warnings()).toMatchObject([{ level: 40, failures: 1 }]);

    clock += 61_000;
    await shop.signIn(newEmail());
    expect(warnings()).toMatchObject([{ failures: 1 }, { failures: 20 }]);
    expect(await readFailureCount()).toBe(21);
  });

  test('an error of the identity provider counts as a failed account lookup, and only its code is logged', async () => {
    clock += 120_000;
    shop.google.state.account = { error: { message: 'QUOTA_EXCEEDED : of ann@mail.example' } };
    expect((await shop.signIn(newEmail())).status).toBe(200);
    expect(warnings()).toMatchObject([{ reason: 'status 200, QUOTA_EXCEEDED' }]);
    expect(logText.join('')).not.toContain('mail.example');
  });

  test('a disabled account does not count as a failed lookup', async () => {
    clock += 120_000;
    const before = await readFailureCount();
    shop.google.state.account = { error: { message: 'USER_DISABLED' } };
    expect((await shop.signIn(newEmail())).status).toBe(401);
    expect([await readFailureCount(), warnings()]).toEqual([before, []]);
  });
});

describe('Account lookups', () => {
  const START = Date.parse('2030-01-01T00:00:00Z');
  const SECOND = 1000;

  /** Opens a lookup at a provider that answers with `state.respond`. */
  function openLookup() {
    const state = {
      now: START,
      requests: [] as Parameters<typeof fetch>[],
      failures: [] as string[],
      respond: (): Response => Response.json({ users: [{}] }),
    };
    const lookUp = createAccountLookup({
      url: 'https://identity.example/lookup?key=k',
      referer: 'https://shop.example/',
      now: () => new Date(state.now),
      onFailure: (reason) => state.failures.push(reason),
      send: async (...request) => {
        state.requests.push(request);
        return state.respond();
      },
    });
    return { state, lookUp: () => lookUp('uid', 'id-token') };
  }

  const active = (sessionsEndedAt: number | null) => ({
    isActive: true,
    sessionsEndedAt: sessionsEndedAt === null ? null : new Date(sessionsEndedAt),
  });
  const REFUSED = { isActive: false, sessionsEndedAt: null };

  test.each([
    ['an account without times', { users: [{}] }, active(null)],
    ['the time since which sessions are valid', { users: [{ validSince: '1893456000' }] }, active(START)],
    ['the time of the last password', { users: [{ passwordUpdatedAt: START + 5 }] }, active(START + 5)],
    [
      'both, of which the later one counts',
      { users: [{ validSince: '1893456000', passwordUpdatedAt: START - 1 }] },
      active(START),
    ],
    ['TOKEN_EXPIRED', { error: { message: 'TOKEN_EXPIRED' } }, REFUSED],
    ['USER_NOT_FOUND', { error: { message: 'USER_NOT_FOUND' } }, REFUSED],
    ['USER_DISABLED with an explanation', { error: { message: 'USER_DISABLED : by its owner' } }, REFUSED],
    ['INVALID_ID_TOKEN', { error: { message: 'INVALID_ID_TOKEN' } }, REFUSED],
  ])('an account lookup understands %s', async (_what, body, expected) => {
    const { state, lookUp } = openLookup();
    state.respond = () => Response.json(body);
    expect(await lookUp()).toEqual(expected);
    expect(state.failures).toEqual([]);
  });

  test('a lookup sends the ID token with the referer of the shop, follows no redirect and waits for two seconds', async () => {
    const timeoutSpy = jest.spyOn(AbortSignal, 'timeout');
    const { state, lookUp } = openLookup();
    await lookUp();
    expect(state.requests).toEqual([
      [
        'https://identity.example/lookup?key=k',
        {
          method: 'POST',
          redirect: 'error',
          headers: { 'content-type': 'application/json', referer: 'https://shop.example/' },
          body: '{"idToken":"id-token"}',
          signal: expect.any(AbortSignal) as AbortSignal,
        },
      ],
    ]);
    expect(timeoutSpy.mock.calls).toEqual([[2000]]);
    timeoutSpy.mockRestore();
  });

  /** Opens a lookup whose first request fails. */
  async function openAfterFailure() {
    const { state, lookUp } = openLookup();
    const { respond } = state;
    state.respond = () => {
      throw new RangeError();
    };
    await lookUp();
    state.respond = respond;
    return { state, lookUp };
  }

  test('after a failed request, no lookup is sent for thirty seconds', async () => {
    const { state, lookUp } = await openAfterFailure();
    for (const ms of [0, 30 * SECOND - 1]) {
      state.now = START + ms;
      expect(await lookUp()).toBeNull();
    }
    const paused = 'lookups are paused after a failure';
    expect([state.requests.length, state.failures]).toEqual([1, ['RangeError', paused, paused]]);
    state.now = START + 30 * SECOND;
    expect(await lookUp()).toEqual(active(null));
  });

  test('after the clock was set back, the pause ends', async () => {
    const { state, lookUp } = await openAfterFailure();
    state.now = START - SECOND;
    expect(await lookUp()).toEqual(active(null));
  });
});
