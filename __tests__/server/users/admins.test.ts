import { asc, eq } from 'drizzle-orm';
import { promotions, users } from '../../../server/db/schema';
import { main } from '../../../server/cli/admin';
import { removeAdmin } from '../../../server/users/roles';
import { newEmail } from '../../support/customers';
import { waitUntilBlocked } from '../../support/database';
import { type ShopWithGoogle, startShopWithGoogle } from '../../support/shop';

let shop: ShopWithGoogle;
let boss: string;
const BOSS = 'boss@shop.example';

beforeAll(async () => {
  shop = await startShopWithGoogle({ env: { ADMIN_EMAILS: BOSS } });
  boss = await shop.tokenOf(BOSS, { email_verified: true });
});
afterAll(() => shop.close());

const promote = (email: string, token?: string) =>
  shop.call(`/user/admin/${encodeURIComponent(email)}`, { method: 'PUT', token });
const setRole = (email: string, role: 'admin' | 'member') =>
  shop.deps.db.update(users).set({ role }).where(eq(users.email, email));
const tracesOf = (email: string) =>
  shop.deps.db
    .select({ actor: promotions.actorId, role: promotions.role, at: promotions.createdAt })
    .from(promotions)
    .where(eq(promotions.targetId, `uid-of-${email}`))
    .orderBy(asc(promotions.id));

// Clauses A.6.6, A.7.15, C.5.12
test('only admins promote another user, and it leaves who, whom and when', async () => {
  const email = newEmail();
  const token = await shop.tokenOf(email, { email_verified: true });
  const before = Date.now();
  expect((await promote(email)).status).toBe(401);
  expect(await promote(email, token)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  expect(await promote(email.toUpperCase(), boss)).toMatchObject({ status: 200, body: { email, role: 'admin' } });
  expect((await promote(email, boss)).status).toBe(200);
  const traces = await tracesOf(email);
  expect(traces).toEqual([{ actor: `uid-of-${BOSS}`, role: 'admin', at: expect.any(Date) }]);
  expect(traces[0]!.at.getTime()).toBeGreaterThanOrEqual(before);
  expect(traces[0]!.at.getTime()).toBeLessThanOrEqual(Date.now());
});

// Clause C.5.10
test('an address that nobody proved is not promoted outside the demo, but by the operator', async () => {
  const email = newEmail('unproven');
  await shop.tokenOf(email);
  expect(await promote(email, boss)).toMatchObject({ status: 403, body: { code: 'email_unverified' } });
  expect((await shop.call(`/admin/${email}`, { token: boss })).body).toEqual({ admin: false });
  expect(await tracesOf(email)).toEqual([]);
  await setRole(email, 'admin');
  expect((await promote(email, boss)).status).toBe(200);
});

// Clause C.5.13
test('who is unknown cannot be promoted', async () => {
  for (const email of [newEmail('nobody'), 'x', 'a'.repeat(300)])
    expect(await promote(email, boss)).toMatchObject({ status: 404, body: { code: 'not_found' } });
});

// Clause C.2.13
test('a role is read at each call: promotion and demotion hold at once', async () => {
  const email = newEmail();
  const token = await shop.tokenOf(email);
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

// Clauses A.6.4, A.7.16, C.2.5
test('the admin check is for oneself, or for an admin', async () => {
  const [ann, bob] = [newEmail('ann'), newEmail('bob')];
  const asAnn = await shop.tokenOf(ann);
  await shop.tokenOf(bob);
  expect((await shop.call(`/admin/${ann.toUpperCase()}`, { token: asAnn })).body).toEqual({ admin: false });
  expect((await shop.call(`/admin/${bob}`, { token: asAnn })).status).toBe(403);
  expect((await shop.call(`/admin/${bob}`, { token: boss })).body).toEqual({ admin: false });
  expect((await shop.call(`/admin/${newEmail()}`, { token: boss })).status).toBe(404);
});

// Clauses A.3.5, A.7.14
test('the list of users is whole, in the order in which they came, and tells no more than it must', async () => {
  const email = newEmail('last');
  await shop.tokenOf(email);
  const { body } = await shop.call('/user', { token: boss });
  const rows = body as unknown as Record<string, unknown>[];
  expect(rows[0]).toEqual({ _id: `uid-of-${BOSS}`, email: BOSS, role: 'admin', verified: true });
  expect(rows.at(-1)).toEqual({ _id: `uid-of-${email}`, email, role: 'member', verified: false });
});

// Clause C.3.5
test('the list is never capped, however long it grows', async () => {
  const people = Array.from({ length: 2500 }, (_, n) => ({ id: `many-${n}`, email: `many-${n}@shop.example` }));
  await shop.deps.db.insert(users).values(people);
  const { body, headers } = await shop.call('/user', { token: boss });
  const emails = (body as unknown as { email: string }[]).map(({ email }) => email);
  expect(emails.filter((email) => email.startsWith('many-'))).toEqual(people.map(({ email }) => email));
  expect(new Set(emails).size).toBe(emails.length);
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
});

/** Both have begun, and seen two admins, before either can change a row. */
async function bothAfterOneLook<T>(start: () => Promise<T>[]): Promise<T[]> {
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

describe('npm run admin', () => {
  const said: string[] = [];
  const write = (text: string | Uint8Array) => (said.push(String(text).trim()), true);
  beforeEach(() => {
    said.length = 0;
    jest.spyOn(process.stdout, 'write').mockImplementation(write);
    jest.spyOn(process.stderr, 'write').mockImplementation(write);
  });
  afterEach(() => jest.restoreAllMocks());

  const run = async (...argv: string[]) => {
    const code = await main(argv, { DATABASE_URL: shop.database!.url });
    return [code, said.splice(0).join(' ')];
  };

  // Clause C.5.7
  test('adds and removes an admin by the operator', async () => {
    const email = newEmail('chosen');
    const token = await shop.tokenOf(email);
    expect(await run('add', email.toUpperCase())).toEqual([
      0,
      `${email} is an admin now. The identity provider has not verified that this address is theirs.`,
    ]);
    expect((await shop.call(`/admin/${email}`, { token })).body).toEqual({ admin: true });
    expect(await run('remove', email)).toEqual([0, `${email} is no longer an admin.`]);
    expect((await shop.call(`/admin/${email}`, { token })).body).toEqual({ admin: false });
    expect(await run('remove', email)).toEqual([0, `${email} is not an admin; nothing was changed.`]);
    expect(await tracesOf(email)).toMatchObject([
      { actor: null, role: 'admin' },
      { actor: null, role: 'member' },
    ]);
  });

  // Clause C.5.7
  test('frees an address for whoever signs in with it next', async () => {
    const email = newEmail('freed');
    await shop.tokenOf(email, { sub: 'first', email_verified: true });
    expect((await shop.arrive(email, { sub: 'second', email_verified: true })).status).toBe(409);
    expect((await run('release', email))[0]).toBe(0);
    expect((await shop.arrive(email, { sub: 'second', email_verified: true })).body._id).toBe('second');
  });

  // Clause C.5.9
  test('never takes away the last admin, however many try at once', async () => {
    const [ann, bob] = [newEmail('ann'), newEmail('bob')];
    for (const email of [ann, bob]) await shop.tokenOf(email);
    await shop.deps.db.update(users).set({ role: 'member' });
    for (const email of [ann, bob]) await setRole(email, 'admin');
    const outcomes = await bothAfterOneLook(() => [ann, bob].map((email) => removeAdmin(shop.deps.db, email)));
    expect(outcomes.sort()).toEqual(['done', 'last_admin']);
    const [last] = await shop.deps.db.select().from(users).where(eq(users.role, 'admin'));
    for (const verb of ['remove', 'release'])
      expect(await run(verb, last!.email!)).toEqual([
        1,
        `${last!.email} is the last admin: make somebody else one first.`,
      ]);
    await setRole(BOSS, 'admin');
  });

  // Clause C.5.7
  test('says what is wrong with a command', async () => {
    const usage = expect.stringMatching(/^Usage: npm run admin -- add EMAIL \| .* \| sign-out EMAIL$/);
    for (const argv of [[], ['add'], ['add', 'nobody'], ['make', BOSS], ['add', BOSS, 'x'], ['constructor', BOSS]])
      expect(await run(...argv)).toEqual([1, usage]);
    const unknown = newEmail('unknown');
    for (const verb of ['add', 'remove', 'release', 'block', 'unblock', 'sign-out'])
      expect(await run(verb, unknown)).toEqual([1, `Nobody with the address ${unknown} has signed in yet.`]);
  });
});
