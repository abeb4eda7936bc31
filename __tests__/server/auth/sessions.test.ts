import { eq } from 'drizzle-orm';
import { endedSessions, users } from '../../../server/db/schema';
import { deleteOldRows } from '../../../server/jobs/deleteOldRows';
import { callShop } from '../../support/api';
import { newEmail, newCustomer } from '../../support/customers';
import { collectLog, type ShopWithGoogle, startShopWithGoogle, startShop } from '../../support/shop';
import { googleClaimsOf } from '../../support/googleTokens';

describe('The end of a session', () => {
  const SECOND = 1000;
  const MINUTE = 60 * SECOND;
  /** Half a second after a full second, because the times in ID tokens are whole seconds. */
  const START = Math.floor(Date.now() / SECOND) * SECOND + 500;
  let clock = START;
  const log = collectLog();
  let shop: ShopWithGoogle;
  beforeAll(async () => {
    shop = await startShopWithGoogle({ now: () => new Date(clock), logger: log.logger });
  });
  beforeEach(() => void (clock = START));
  afterAll(() => shop.close());

  const nowSeconds = () => Math.floor(clock / SECOND);
  const signIn = (email: string, secondsAgo: number) => shop.signIn(email, { auth_time: nowSeconds() - secondsAgo });
  async function signInForToken(email: string, secondsAgo: number) {
    const { body } = await signIn(email, secondsAgo);
    return String(body.token);
  }
  const signOut = (token?: string) => callShop(shop.origin, '/session', { method: 'DELETE', token });
  const statusOf = async (email: string, token: string) => (await shop.call(`/admin/${email}`, { token })).status;

  describe('DELETE /session', () => {
    // Clause C.11.6
    test('immediately ends all tokens of the same sign-in, but no other session of the user', async () => {
      const email = newEmail('leaver');
      const [token, sameSession, otherSession] = [
        await signInForToken(email, 100),
        await signInForToken(email, 100),
        await signInForToken(email, 50),
      ];
      clock += 1;
      expect((await signOut(token)).status).toBe(204);
      expect([await statusOf(email, token), await statusOf(email, sameSession)]).toEqual([401, 401]);
      expect(await statusOf(email, otherSession)).toBe(200);
      expect((await signOut(token)).status).toBe(401);
    });

    // Clause C.11.6
    test('also ends refreshed ID tokens of the same sign-in', async () => {
      const email = newEmail('refresher');
      await signOut(await signInForToken(email, 100));
      clock += 30 * MINUTE;
      const refreshed = { auth_time: nowSeconds() - 100 - 1800, iat: nowSeconds() };
      expect(await shop.signIn(email, refreshed)).toMatchObject({ status: 401, body: { code: 'token_invalid' } });
      expect((await signIn(email, 10)).status).toBe(200);
    });

    test('does not end a new session that starts within the same second', async () => {
      const email = newEmail('quick');
      const before = await signInForToken(email, 0);
      clock += 200;
      expect((await signOut(before)).status).toBe(204);
      clock += 200;
      const after = await signInForToken(email, 0);
      expect([await statusOf(email, before), await statusOf(email, after)]).toEqual([401, 200]);
      expect((await signOut(after)).status).toBe(204);
      expect(await statusOf(email, after)).toBe(401);
    });

    test('also ends a token of the same sign-in that is issued a moment later', async () => {
      const email = newEmail('race');
      await signOut(await signInForToken(email, 100));
      clock += 5;
      const authTime = new Date((Math.floor(START / SECOND) - 100) * SECOND);
      const lateToken = shop.deps.tokens.issue(`uid-of-${email}`, { authTime });
      expect(await statusOf(email, lateToken)).toBe(401);
    });

    test('with a token of an older release, which has no sign-in time, ends this token but none issued later', async () => {
      const email = newEmail('older');
      await signInForToken(email, 100);
      const olderToken = shop.deps.tokens.issue(`uid-of-${email}`);
      clock += 5;
      const newerToken = shop.deps.tokens.issue(`uid-of-${email}`);
      expect((await signOut(olderToken)).status).toBe(204);
      expect([await statusOf(email, olderToken), await statusOf(email, newerToken)]).toEqual([401, 200]);
    });

    test('logs the user and the IP network', async () => {
      const email = newEmail('logged');
      await signOut(await signInForToken(email, 100));
      const line = { userId: `uid-of-${email}`, network: '127.0.0.1', level: 30 };
      expect(log.linesOf('session ended').at(-1)).toMatchObject(line);
    });

    test('stores a record of the ended session, which the sweep deletes after sixty days', async () => {
      const email = newEmail('forgotten');
      await signOut(await signInForToken(email, 100));
      const countRows = () => shop.deps.db.$count(endedSessions, eq(endedSessions.userId, `uid-of-${email}`));
      clock += 59 * 24 * 60 * MINUTE;
      await deleteOldRows(shop.deps, endedSessions);
      expect(await countRows()).toBe(1);
      clock += 2 * 24 * 60 * MINUTE;
      await deleteOldRows(shop.deps, endedSessions);
      expect(await countRows()).toBe(0);
    });
  });

  describe('The access token of an admin', () => {
    const setRole = (email: string, role: 'admin' | 'member') =>
      shop.deps.db.update(users).set({ role }).where(eq(users.email, email));
    const claimsOf = (token: string) =>
      JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as { iat: number; exp: number };

    // Clause C.11.2
    test('expires after ten minutes', async () => {
      const email = newEmail('boss');
      await signInForToken(email, 10);
      await setRole(email, 'admin');
      const token = await signInForToken(email, 10);
      const { iat, exp } = claimsOf(token);
      expect(exp - Math.floor(iat)).toBe(600);
      clock += 12 * MINUTE;
      expect(await shop.call('/user', { token })).toMatchObject({
        status: 401,
        body: { code: 'token_expired', detail: 'Your session ended. Please log in again.' },
      });
    });

    // Clause C.11.2
    test('expires after ten minutes even if it was issued before the promotion', async () => {
      const email = newEmail('promoted');
      const token = await signInForToken(email, 10);
      clock += 11 * MINUTE;
      await setRole(email, 'admin');
      expect((await shop.call('/user', { token })).status).toBe(200);
      clock += 1;
      expect(await shop.call('/user', { token })).toMatchObject({ status: 401, body: { code: 'token_expired' } });
      expect(await shop.call('/user', { token: await signInForToken(email, 800) })).toMatchObject({ status: 200 });
      await setRole(email, 'member');
      expect(await statusOf(email, token)).toBe(200);
    });
  });
});

describe('A sign-in', () => {
  let clock = Date.now();
  let shop: ShopWithGoogle;
  beforeAll(async () => {
    shop = await startShopWithGoogle({ now: () => new Date(clock) });
  });
  beforeEach(() => void (clock += 1000));
  afterEach(() => void (shop.google.state.account = { users: [{ localId: 'any' }] }));
  afterAll(() => shop.close());

  const PROFILE = { address: '1 Road', phone: '555 0100', linkedIn: 'https://l.example/x' };
  const reportNewPassword = (passwordUpdatedAt: number) =>
    void (shop.google.state.account = { users: [{ validSince: '1', passwordUpdatedAt }] });
  const saveProfile = (token: string) => shop.call('/profile', { method: 'POST', token, body: PROFILE });
  const readProfile = (email: string, token: string) => shop.call(`/profile/${email}`, { token });
  const statusOf = async (email: string, token: string) => (await readProfile(email, token)).status;

  async function signIn(email: string, claims = {}) {
    clock += 1;
    return shop.signInForToken(email, claims);
  }

  describe('The older tokens of a user', () => {
    // Clause C.5.6
    it('end with a new password that the identity provider reports', async () => {
      const email = newEmail('password');
      const older = await signIn(email);
      reportNewPassword(clock + 1);
      const [newer, newest] = [await signIn(email), await signIn(email)];
      expect([await statusOf(email, older), await statusOf(email, newer), await statusOf(email, newest)]).toEqual([
        401, 200, 200,
      ]);
    });

    it('stay ended when a later sign-in reports an earlier time', async () => {
      const email = newEmail('earlier');
      const older = await signIn(email);
      for (const passwordUpdatedAt of [clock + 1, clock - 60_000]) {
        reportNewPassword(passwordUpdatedAt);
        await signIn(email);
        expect(await statusOf(email, older)).toBe(401);
      }
    });

    it("do not include that of the current sign-in if the identity provider's clock is ahead", async () => {
      const email = newEmail('ahead');
      await signIn(email);
      reportNewPassword(clock + 30_000);
      expect(await statusOf(email, await signIn(email))).toBe(200);
    });

    // Clause C.5.6
    it('and the profile stay when the user proves the address', async () => {
      const email = newEmail('proof');
      const older = await signIn(email);
      await saveProfile(older);
      await signIn(email, { email_verified: true });
      expect((await readProfile(email, older)).body).toMatchObject({ address: PROFILE.address });
      await signIn(email, googleClaimsOf(email));
      expect((await readProfile(email, older)).body).toMatchObject({ address: PROFILE.address });
    });

    // Clause C.5.4
    it("end, and the profile is deleted, when a password account that never proved its address becomes one of Google's", async () => {
      const email = newEmail('joined');
      const older = await signIn(email);
      await saveProfile(older);
      const newer = await signIn(email, googleClaimsOf(email));
      expect(await statusOf(email, older)).toBe(401);
      expect((await readProfile(email, newer)).body).toMatchObject({ address: '', phone: '' });

      await saveProfile(newer);
      const newest = await signIn(email, googleClaimsOf(email));
      for (const token of [newer, newest])
        expect((await readProfile(email, token)).body).toMatchObject({ address: PROFILE.address });
    });
  });
});

describe('The start of valid sessions', () => {
  const VALID_FROM = Date.parse('2031-05-04T10:00:00.250Z');
  let now = VALID_FROM;
  let shop: Awaited<ReturnType<typeof startShop>>;
  beforeAll(async () => {
    shop = await startShop({ now: () => new Date(now) });
  });
  afterAll(() => shop.close());

  describe('An access token', () => {
    it.each([
      ['a millisecond before', -1, 401],
      ['in the same millisecond as', 0, 200],
      ['a millisecond after', 1, 200],
    ])('that was issued %s sessionsValidFrom (%i ms) gets a %i', async (_when, ms, status) => {
      const { id, email } = await newCustomer(shop, { sessionsValidFrom: new Date(VALID_FROM) });
      now = VALID_FROM + ms;
      const token = shop.deps.tokens.issue(id);
      expect((await callShop(shop.origin, `/admin/${email}`, { token })).status).toBe(status);
    });
  });
});
