import { asc, eq, and, isNotNull } from 'drizzle-orm';
import { promotions, users } from '../../../server/db/schema';
import { main } from '../../../server/cli/admin';
import { removeAdmin } from '../../../server/users/roles';
import { runCli } from '../../support/cli';
import { newEmail } from '../../support/customers';
import { waitUntilBlocked } from '../../support/database';
import { type ShopWithGoogle, startShopWithGoogle } from '../../support/shop';
import { block } from '../../../server/users/blocking';

describe('Admins', () => {
  let shop: ShopWithGoogle;
  let adminToken: string;
  const ADMIN = 'boss@shop.example';

  beforeAll(async () => {
    shop = await startShopWithGoogle({ env: { ADMIN_EMAILS: ADMIN } });
    adminToken = await shop.signInForToken(ADMIN, { email_verified: true });
  });
  afterAll(() => shop.close());

  const promote = (email: string, token?: string) =>
    shop.call(`/user/admin/${encodeURIComponent(email)}`, { method: 'PUT', token });
  const setRole = (email: string, role: 'admin' | 'member') =>
    shop.deps.db.update(users).set({ role }).where(eq(users.email, email));
  const promotionsOf = (email: string) =>
    shop.deps.db
      .select({ actor: promotions.actorId, role: promotions.role, at: promotions.createdAt })
      .from(promotions)
      .where(eq(promotions.targetId, `uid-of-${email}`))
      .orderBy(asc(promotions.id));

  // Clauses A.6.6, A.7.15, C.5.12
  test('only admins can promote users, and each promotion is recorded with the admin, the user and the time', async () => {
    const email = newEmail();
    const token = await shop.signInForToken(email, { email_verified: true });
    const before = Date.now();
    expect((await promote(email)).status).toBe(401);
    expect(await promote(email, token)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    expect(await promote(email.toUpperCase(), adminToken)).toMatchObject({
      status: 200,
      body: { email, role: 'admin' },
    });
    expect((await promote(email, adminToken)).status).toBe(200);
    const recorded = await promotionsOf(email);
    expect(recorded).toEqual([{ actor: `uid-of-${ADMIN}`, role: 'admin', at: expect.any(Date) }]);
    expect(recorded[0]!.at.getTime()).toBeGreaterThanOrEqual(before);
    expect(recorded[0]!.at.getTime()).toBeLessThanOrEqual(Date.now());
  });

  const undo = (email: string, token?: string) => shop.call(`/user/admin/${email}`, { method: 'DELETE', token });

  test('an admin can take back a promotion, and only the admin who made it', async () => {
    const [email, otherAdmin] = [newEmail(), newEmail('other-admin')];
    await shop.signInForToken(email, { email_verified: true });
    const otherToken = await shop.signInForToken(otherAdmin, { email_verified: true });
    await promote(email, adminToken);
    await promote(otherAdmin, adminToken);
    expect(await undo(email, otherToken)).toMatchObject({ status: 403, body: { code: 'not_promoter' } });
    expect((await undo(email, adminToken)).status).toBe(204);
    expect((await undo(email, adminToken)).status).toBe(204);
    expect((await shop.call(`/admin/${email}`, { token: adminToken })).body).toEqual({ admin: false });
    expect((await promotionsOf(email)).map(({ actor, role }) => [actor, role])).toEqual([
      [`uid-of-${ADMIN}`, 'admin'],
      [`uid-of-${ADMIN}`, 'member'],
    ]);
    await promote(email, otherToken);
    expect(await undo(email, adminToken)).toMatchObject({ status: 403, body: { code: 'not_promoter' } });
    expect(await undo(ADMIN, adminToken)).toMatchObject({ status: 403, body: { code: 'not_promoter' } });
    await Promise.all([undo(email, otherToken), undo(otherAdmin, adminToken)]);
  });

  // Clause C.5.10
  test('outside the demo, an admin cannot promote a user with an unverified email', async () => {
    const email = newEmail('unproven');
    await shop.signInForToken(email);
    expect(await promote(email, adminToken)).toMatchObject({ status: 403, body: { code: 'email_unverified' } });
    expect((await shop.call(`/admin/${email}`, { token: adminToken })).body).toEqual({ admin: false });
    expect(await promotionsOf(email)).toEqual([]);
    await setRole(email, 'admin');
    expect((await promote(email, adminToken)).status).toBe(200);
  });

  // Clause C.2.13
  test("promoting or demoting a user takes effect with the user's next request", async () => {
    const email = newEmail();
    const token = await shop.signInForToken(email);
    const statuses = async () => [
      (await shop.call('/user', { token })).status,
      (await shop.call(`/admin/${email}`, { token })).body['admin'],
    ];
    expect(await statuses()).toEqual([403, false]);
    await setRole(email, 'admin');
    expect(await statuses()).toEqual([200, true]);
    await setRole(email, 'member');
    expect(await statuses()).toEqual([403, false]);
  });

  // Clauses A.3.5, A.7.14
  test('the list of users starts with the oldest user, ends with the newest, and has only the documented fields', async () => {
    const email = newEmail('last');
    await shop.signInForToken(email);
    const { body } = await shop.call('/user', { token: adminToken });
    const rows = body as unknown as Record<string, unknown>[];
    expect(rows[0]).toEqual({ _id: `uid-of-${ADMIN}`, email: ADMIN, role: 'admin', verified: true });
    expect(rows.at(-1)).toEqual({ _id: `uid-of-${email}`, email, role: 'member', verified: false });
  });

  /** Locks the rows of all admins until both requests wait for them. */
  async function runBothBehindRowLocks<T>(start: () => Promise<T>[]): Promise<T[]> {
    const client = await shop.deps.db.$client.connect();
    try {
      await client.query("begin; select from users where role = 'admin' for update");
      const started = Promise.all(start());
      await waitUntilBlocked(shop.deps, 2);
      await client.query('commit');
      return await started;
    } finally {
      client.release();
    }
  }

  test('the last of two admins who take back the promotion of each other at once stays an admin', async () => {
    const [ann, bob] = [newEmail('ann'), newEmail('bob')];
    const tokens = new Map<string, string>();
    for (const email of [ann, bob]) tokens.set(email, await shop.signInForToken(email, { email_verified: true }));
    for (const email of [ann, bob]) await promote(email, adminToken);
    // Bob has promoted Ann, and Ann has promoted Bob.
    for (const [email, other] of [
      [ann, bob],
      [bob, ann],
    ] as const) {
      await setRole(email, 'member');
      await promote(email, tokens.get(other));
    }
    await shop.deps.db.update(users).set({ role: 'member' });
    for (const email of [ann, bob]) await setRole(email, 'admin');
    const responses = await runBothBehindRowLocks(() => [undo(ann, tokens.get(bob)), undo(bob, tokens.get(ann))]);
    expect(responses.map(({ status, body }) => [status, body['code']]).sort()).toEqual([
      [204, undefined],
      [403, 'last_admin'],
    ]);
    await setRole(ADMIN, 'admin');
  });

  describe('npm run admin', () => {
    const runAdmin = (...argv: string[]) => runCli(main, argv, shop.database!.env);

    // Clause C.5.7
    test('adds and removes an admin', async () => {
      const email = newEmail('chosen');
      const token = await shop.signInForToken(email);
      expect(await runAdmin('add', email.toUpperCase())).toEqual({
        code: 0,
        out: `${email} is an admin now. The identity provider has not verified this email.\n`,
        err: '',
      });
      expect((await shop.call(`/admin/${email}`, { token })).body).toEqual({ admin: true });
      expect(await runAdmin('remove', email)).toEqual({ code: 0, out: `${email} is no longer an admin.\n`, err: '' });
      expect((await shop.call(`/admin/${email}`, { token })).body).toEqual({ admin: false });
      expect(await runAdmin('remove', email)).toEqual({
        code: 0,
        out: `${email} is not an admin. Nothing was changed.\n`,
        err: '',
      });
      expect(await promotionsOf(email)).toMatchObject([
        { actor: null, role: 'admin' },
        { actor: null, role: 'member' },
      ]);
    });

    // Clause C.5.9
    test('never removes the last admin, even if it runs twice simultaneously', async () => {
      const [ann, bob] = [newEmail('ann'), newEmail('bob')];
      for (const email of [ann, bob]) await shop.signInForToken(email);
      await shop.deps.db.update(users).set({ role: 'member' });
      for (const email of [ann, bob]) await setRole(email, 'admin');
      const outcomes = await runBothBehindRowLocks(() => [ann, bob].map((email) => removeAdmin(shop.deps.db, email)));
      expect(outcomes.sort()).toEqual(['done', 'last_admin']);
      const [last] = await shop.deps.db.select().from(users).where(eq(users.role, 'admin'));
      const err = `${last!.email} is the last admin. Make another user an admin first.\n`;
      const refusal = { code: 1, out: '', err };
      expect(await runAdmin('remove', last!.email!)).toEqual(refusal);
      await shop.deps.db.insert(users).values({ id: 'admin-without-email', role: 'admin' });
      expect(await runAdmin('remove', last!.email!)).toEqual(refusal);
      await setRole(ADMIN, 'admin');
    });

    // Clause C.5.7
    test('prints its usage for wrong arguments, and reports an unknown user', async () => {
      const usage = expect.stringMatching(/^Usage: npm run admin -- add EMAIL \| .* \| sign-out EMAIL\n$/);
      for (const argv of [[], ['add'], ['add', 'nobody'], ['make', ADMIN], ['add', ADMIN, 'x'], ['constructor', ADMIN]])
        expect(await runAdmin(...argv)).toEqual({ code: 1, out: '', err: usage });
      const unknown = newEmail('unknown');
      const err = `No user with the email ${unknown} has signed in yet.\n`;
      for (const command of ['add', 'remove', 'block', 'unblock', 'sign-out'])
        expect(await runAdmin(command, unknown)).toEqual({ code: 1, out: '', err });
    });
  });
});

describe('Blocked and signed-out users', () => {
  const ADMIN = 'boss@shop.example';
  const CONFIGURED_ADMIN = 'appointed@shop.example';
  let shop: ShopWithGoogle;
  let adminToken: string;
  beforeAll(async () => {
    shop = await startShopWithGoogle();
    adminToken = await shop.signInForToken(ADMIN);
    await setRole(ADMIN, 'admin');
  });
  afterAll(() => shop.close());

  const runAdmin = (...argv: string[]) =>
    runCli(main, argv, { ...shop.database!.env, ADMIN_EMAILS: CONFIGURED_ADMIN.toUpperCase() });
  const setRole = (email: string, role: 'admin' | 'member') =>
    shop.deps.db.update(users).set({ role }).where(eq(users.email, email));
  const statusOf = async (email: string, token: string) => (await shop.call(`/admin/${email}`, { token })).status;
  const signInNow = (email: string, claims = {}) =>
    shop.signIn(email, { auth_time: Math.floor(Date.now() / 1000), ...claims });

  // Clause C.5.11
  test('a blocked user loses access immediately, until unblocked and signed in again', async () => {
    const email = newEmail('blocked');
    const token = await shop.signInForToken(email);
    const out = expect.stringContaining(`${email} is blocked`);
    expect(await runAdmin('block', email)).toEqual({ code: 0, out, err: '' });
    expect(await statusOf(email, token)).toBe(401);
    for (const response of [await shop.signIn(email), await signInNow(email)])
      expect(response).toMatchObject({ status: 403, body: { code: 'account_blocked' } });
    expect((await runAdmin('block', email)).code).toBe(0);

    expect((await runAdmin('unblock', email)).code).toBe(0);
    expect(await statusOf(email, token)).toBe(401);
    expect((await shop.signIn(email)).status).toBe(401);
    const { body } = await signInNow(email);
    expect(await statusOf(email, String(body.token))).toBe(200);
    expect((await runAdmin('unblock', email)).code).toBe(0);
  });

  test('an email that was blocked stays blocked for any other account, whether the email is verified or not', async () => {
    const email = newEmail('again');
    await shop.signIn(email);
    await runAdmin('block', email);
    for (const email_verified of [false, true])
      expect(await signInNow(email, { sub: `other-${email}`, email_verified })).toMatchObject({
        status: 403,
        body: { code: 'account_blocked' },
      });
  });

  /** Starts each work when the one before waits, while a row is locked. */
  async function runBehindRowLock(email: string, ...works: (() => Promise<unknown>)[]) {
    const client = await shop.deps.db.$client.connect();
    await client.query('begin');
    await client.query('select from users where email = $1 for update', [email]);
    const started: Promise<unknown>[] = [];
    for (const work of works) {
      started.push(work());
      await waitUntilBlocked(shop.deps, started.length);
    }
    await client.query('commit');
    client.release();
    return Promise.all(started);
  }

  test.each(['block', 'sign-in'])(
    'when an address is blocked while another account signs in with it, the address is blocked: %s first',
    async (first) => {
      const email = newEmail('contested');
      const later = { sub: `later-${email}` };
      await shop.signIn(email);
      const works = [() => block(shop.deps.db, email, new Date()), () => signInNow(email, later)];
      const outcomes = await runBehindRowLock(email, ...(first === 'block' ? works : works.toReversed()));
      expect(outcomes).toContain('done');
      expect(await signInNow(email, later)).toMatchObject({ status: 403, body: { code: 'account_blocked' } });
      expect(await shop.deps.db.$count(users, and(eq(users.email, email), isNotNull(users.blockedAt)))).toBe(1);
    },
  );

  // Clause C.5.11
  test('the last admin who is not blocked cannot be blocked or removed', async () => {
    const email = newEmail('second');
    await shop.signIn(email);
    await setRole(email, 'admin');
    await runAdmin('block', email);
    for (const command of ['block', 'remove'])
      expect(await runAdmin(command, ADMIN)).toEqual({
        code: 1,
        out: '',
        err: `${ADMIN} is the last admin. Make another user an admin first.\n`,
      });
    expect((await shop.call('/user', { token: adminToken })).status).toBe(200);
  });

  test('blocking one of two admins and simultaneously removing the other leaves one admin', async () => {
    const email = newEmail('third');
    await shop.signIn(email);
    await setRole(email, 'admin');
    const outcomes = await runBehindRowLock(
      email,
      () => block(shop.deps.db, email, new Date()),
      () => removeAdmin(shop.deps.db, ADMIN),
    );
    expect(outcomes.sort()).toEqual(['done', 'last_admin']);
    await runAdmin('unblock', email);
    await setRole(ADMIN, 'admin');
  });

  // Clause C.5.11
  test('signing out a user immediately revokes all access tokens and the ID tokens of earlier sign-ins', async () => {
    const email = newEmail('out');
    const [token, otherToken] = [
      await shop.signInForToken(email),
      await shop.signInForToken(email, { auth_time: 1_700_000_000 }),
    ];
    const sameSecond = { auth_time: Math.floor(Date.now() / 1000) };
    expect((await runAdmin('sign-out', email)).code).toBe(0);
    expect([await statusOf(email, token), await statusOf(email, otherToken)]).toEqual([401, 401]);
    for (const claims of [{}, { auth_time: 1_700_000_000 }, sameSecond])
      expect(await shop.signIn(email, claims)).toMatchObject({ status: 401, body: { code: 'token_invalid' } });
    expect((await signInNow(email)).status).toBe(200);
  });

  test('a token that is issued after a sign-out is refused if its sign-in was before the sign-out', async () => {
    const email = newEmail('meanwhile');
    await shop.signIn(email);
    await runAdmin('sign-out', email);
    const lateToken = shop.deps.tokens.issue(`uid-of-${email}`, { authTime: new Date(1_700_000_000_000) });
    expect(await statusOf(email, lateToken)).toBe(401);
  });

  // Clause C.5.8
  test('npm run admin -- remove refuses an email in ADMIN_EMAILS and changes nothing', async () => {
    await shop.signIn(CONFIGURED_ADMIN, { email_verified: true });
    await setRole(CONFIGURED_ADMIN, 'admin');
    const err = expect.stringContaining('ADMIN_EMAILS');
    expect(await runAdmin('remove', CONFIGURED_ADMIN)).toEqual({ code: 1, out: '', err });
    expect((await shop.call(`/admin/${CONFIGURED_ADMIN}`, { token: adminToken })).body).toEqual({ admin: true });
  });

  test('the operator can remove an admin whose email can no longer sign in', async () => {
    const email = `ad\u3164min.${process.pid}@shop.example`;
    await shop.deps.db.insert(users).values({ id: 'invisible', email, role: 'admin' });
    expect((await runAdmin('remove', email)).code).toBe(0);
  });
});
