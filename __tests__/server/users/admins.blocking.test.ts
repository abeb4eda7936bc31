import { and, eq, isNotNull } from 'drizzle-orm';
import { users } from '../../../server/db/schema';
import { block } from '../../../server/users/blocking';
import { removeAdmin } from '../../../server/users/roles';
import { runAdminCommand } from './runAdminCommand';
import { newEmail } from '../../support/customers';
import { waitUntilBlocked } from '../../support/database';
import { type ShopWithGoogle, startShopWithGoogle } from '../../support/shop';

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
  runAdminCommand({ ...shop.database!.env, ADMIN_EMAILS: CONFIGURED_ADMIN.toUpperCase() }, ...argv);
const setRole = (email: string, role: 'admin' | 'member') =>
  shop.deps.db.update(users).set({ role }).where(eq(users.email, email));
const statusOf = async (email: string, token: string) => (await shop.call(`/admin/${email}`, { token })).status;
const signInNow = (email: string, claims = {}) =>
  shop.signIn(email, { auth_time: Math.floor(Date.now() / 1000), ...claims });

// Clause C.5.11
test('a blocked user loses access immediately, until unblocked and signed in again', async () => {
  const email = newEmail('blocked');
  const token = await shop.signInForToken(email);
  expect(await runAdmin('block', email)).toEqual([0, expect.stringContaining(`${email} is blocked`)]);
  expect(await statusOf(email, token)).toBe(401);
  for (const response of [await shop.signIn(email), await signInNow(email)])
    expect(response).toMatchObject({ status: 403, body: { code: 'account_blocked' } });
  expect((await runAdmin('block', email))[0]).toBe(0);

  expect((await runAdmin('unblock', email))[0]).toBe(0);
  expect(await statusOf(email, token)).toBe(401);
  expect((await shop.signIn(email)).status).toBe(401);
  const { body } = await signInNow(email);
  expect(await statusOf(email, String(body.token))).toBe(200);
  expect((await runAdmin('unblock', email))[0]).toBe(0);
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
test('a blocked admin cannot promote anyone', async () => {
  const [email, friend] = [newEmail('admin'), newEmail('friend')];
  const token = await shop.signInForToken(email);
  await shop.signInForToken(friend, { email_verified: true });
  await setRole(email, 'admin');
  expect((await runAdmin('block', email))[0]).toBe(0);
  expect((await shop.call(`/user/admin/${friend}`, { method: 'PUT', token })).status).toBe(401);
  expect((await shop.call(`/admin/${friend}`, { token: adminToken })).body).toEqual({ admin: false });
});

// Clause C.5.11
test('the last admin who is not blocked cannot be blocked or removed', async () => {
  const email = newEmail('second');
  await shop.signIn(email);
  await setRole(email, 'admin');
  await runAdmin('block', email);
  for (const command of ['block', 'remove'])
    expect(await runAdmin(command, ADMIN)).toEqual([
      1,
      `${ADMIN} is the last admin. Make another user an admin first.`,
    ]);
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
  expect((await runAdmin('sign-out', email))[0]).toBe(0);
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
  expect(await runAdmin('remove', CONFIGURED_ADMIN)).toEqual([1, expect.stringContaining('ADMIN_EMAILS')]);
  expect((await shop.call(`/admin/${CONFIGURED_ADMIN}`, { token: adminToken })).body).toEqual({ admin: true });
});

test('the operator can remove an admin whose email can no longer sign in', async () => {
  const email = `ad\u3164min.${process.pid}@shop.example`;
  await shop.deps.db.insert(users).values({ id: 'invisible', email, role: 'admin' });
  expect((await runAdmin('remove', email))[0]).toBe(0);
});
