import { eq } from 'drizzle-orm';
import { users } from '../../../server/db/schema';
import { block } from '../../../server/users/blocking';
import { removeAdmin } from '../../../server/users/roles';
import { runAdmin } from './runAdmin';
import { newEmail } from '../../support/customers';
import { waitUntilBlocked } from '../../support/database';
import { type ShopWithGoogle, startShopWithGoogle } from '../../support/shop';

const BOSS = 'boss@shop.example';
const APPOINTED = 'appointed@shop.example';
let shop: ShopWithGoogle;
let boss: string;
beforeAll(async () => {
  shop = await startShopWithGoogle();
  boss = await shop.tokenOf(BOSS);
  await setRole(BOSS, 'admin');
});
afterAll(() => shop.close());

const run = (...argv: string[]) =>
  runAdmin({ DATABASE_URL: shop.database!.url, ADMIN_EMAILS: APPOINTED.toUpperCase() }, ...argv);
const setRole = (email: string, role: 'admin' | 'member') =>
  shop.deps.db.update(users).set({ role }).where(eq(users.email, email));
const statusOf = async (email: string, token: string) => (await shop.call(`/admin/${email}`, { token })).status;
/** As if the person had signed in again just now. */
const arriveNow = (email: string, claims = {}) =>
  shop.arrive(email, { auth_time: Math.floor(Date.now() / 1000), ...claims });

// Clause C.5.11
test('a blocked user is out at once, gets no token, and comes back by unblock and a new sign-in', async () => {
  const email = newEmail('blocked');
  const token = await shop.tokenOf(email);
  expect(await run('block', email)).toEqual([0, expect.stringContaining(`${email} is blocked`)]);
  expect(await statusOf(email, token)).toBe(401);
  for (const answer of [await shop.arrive(email), await arriveNow(email)])
    expect(answer).toMatchObject({ status: 403, body: { code: 'account_blocked' } });
  expect((await run('block', email))[0]).toBe(0);

  expect((await run('unblock', email))[0]).toBe(0);
  expect(await statusOf(email, token)).toBe(401);
  expect((await shop.arrive(email)).status).toBe(401);
  const { body } = await arriveNow(email);
  expect(await statusOf(email, String(body.token))).toBe(200);
  expect((await run('unblock', email))[0]).toBe(0);
});

test('a blocked address stays blocked for another account, proven or not', async () => {
  const email = newEmail('again');
  await shop.arrive(email);
  await run('block', email);
  for (const email_verified of [false, true])
    expect(await arriveNow(email, { sub: `other-${email}`, email_verified })).toMatchObject({
      status: 403,
      body: { code: 'account_blocked' },
    });
});

// Clause C.5.11
test('a blocked admin promotes nobody', async () => {
  const [email, friend] = [newEmail('admin'), newEmail('friend')];
  const token = await shop.tokenOf(email);
  await shop.tokenOf(friend, { email_verified: true });
  await setRole(email, 'admin');
  expect((await run('block', email))[0]).toBe(0);
  expect((await shop.call(`/user/admin/${friend}`, { method: 'PUT', token })).status).toBe(401);
  expect((await shop.call(`/admin/${friend}`, { token: boss })).body).toEqual({ admin: false });
});

// Clause C.5.11
test('the last admin who is not blocked can be neither blocked, removed nor released', async () => {
  const email = newEmail('second');
  await shop.arrive(email);
  await setRole(email, 'admin');
  await run('block', email);
  for (const verb of ['block', 'remove', 'release'])
    expect(await run(verb, BOSS)).toEqual([1, `${BOSS} is the last admin: make somebody else one first.`]);
  expect((await shop.call('/user', { token: boss })).status).toBe(200);
});

test('a block and a removal at once leave one admin', async () => {
  const email = newEmail('third');
  await shop.arrive(email);
  await setRole(email, 'admin');
  const client = await shop.deps.db.$client.connect();
  await client.query("begin; select from users where role = 'admin' for update");
  const both = Promise.all([block(shop.deps.db, email, new Date()), removeAdmin(shop.deps.db, BOSS)]);
  await waitUntilBlocked(shop.deps, 2);
  await client.query('commit');
  client.release();
  expect((await both).sort()).toEqual(['done', 'last_admin']);
  await run('unblock', email);
  await setRole(BOSS, 'admin');
});

// Clause C.5.11
test('sign-out ends every session: access tokens at once, and ID tokens of an earlier sign-in', async () => {
  const email = newEmail('out');
  const [token, other] = [await shop.tokenOf(email), await shop.tokenOf(email, { auth_time: 1_700_000_000 })];
  const sameSecond = { auth_time: Math.floor(Date.now() / 1000) };
  expect((await run('sign-out', email))[0]).toBe(0);
  expect([await statusOf(email, token), await statusOf(email, other)]).toEqual([401, 401]);
  for (const claims of [{}, { auth_time: 1_700_000_000 }, sameSecond])
    expect(await shop.arrive(email, claims)).toMatchObject({ status: 401, body: { code: 'token_invalid' } });
  expect((await arriveNow(email)).status).toBe(200);
});

test('a token of an ended sign-in that was issued meanwhile is refused, too', async () => {
  const email = newEmail('meanwhile');
  await shop.arrive(email);
  await run('sign-out', email);
  const late = shop.deps.tokens.issue(`uid-of-${email}`, { authTime: new Date(1_700_000_000_000) });
  expect(await statusOf(email, late)).toBe(401);
});

test.each(['block', 'unblock', 'sign-out'])('%s says that it knows no such user, and exits with 1', async (verb) => {
  const email = newEmail('unknown');
  expect(await run(verb, email)).toEqual([1, `Nobody with the address ${email} has signed in yet.`]);
});

// Clause C.5.8
test('remove refuses an address in ADMIN_EMAILS and changes nothing', async () => {
  await shop.arrive(APPOINTED, { email_verified: true });
  await setRole(APPOINTED, 'admin');
  expect(await run('remove', APPOINTED)).toEqual([1, expect.stringContaining('ADMIN_EMAILS')]);
  expect((await shop.call(`/admin/${APPOINTED}`, { token: boss })).body).toEqual({ admin: true });
});

test('the operator can name an address that nobody can sign in with any more', async () => {
  const email = `ad\u3164min.${process.pid}@shop.example`;
  await shop.deps.db.insert(users).values({ id: 'invisible', email, role: 'admin' });
  expect((await run('remove', email))[0]).toBe(0);
});
