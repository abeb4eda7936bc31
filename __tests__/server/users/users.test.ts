import { setTimeout as sleep } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import { orders, profiles, promotions, tools, users } from '../../../server/db/schema';
import { putUser } from '../../support/api';
import { newEmail } from '../../support/customers';
import { SAYS_LITTLE } from '../../support/googleTokens';
import { type ShopWithGoogle, startShopWithGoogle } from '../../support/shop';

let shop: ShopWithGoogle;
beforeAll(async () => void (shop = await startShopWithGoogle({ env: { ADMIN_EMAILS: 'Boss@Shop.example' } })));
afterAll(() => shop.close());

const rowOf = async (email: string) => (await shop.deps.db.select().from(users).where(eq(users.email, email)))[0];
const profile = { address: '1 Road', phone: '123', linkedIn: 'https://l.example/x', education: 'PhD' };

// Clause C.2.4
test("nobody gets another person's token", async () => {
  const [ann, bob] = [newEmail('ann'), newEmail('bob')];
  expect((await putUser(shop.origin, ann)).status).toBe(401);
  const asBob = await shop.idToken(bob);
  expect(await putUser(shop.origin, ann, asBob)).toMatchObject({ status: 403, body: { code: 'email_mismatch' } });
  expect((await putUser(shop.origin, bob, asBob, { email: ann })).status).toBe(403);
  expect(await rowOf(ann)).toBeUndefined();
  expect(await rowOf(bob)).toBeUndefined();
});

// Clause A.7.13
test('the body is the email and nothing else', async () => {
  const email = newEmail();
  const token = await shop.idToken(email);
  for (const body of [{}, { email: 7 }, { email, role: 'admin' }, { email, _id: 'x' }, [email]])
    expect((await putUser(shop.origin, email, token, body)).status).toBe(422);
  expect((await putUser(shop.origin, email, token)).body.role).toBe('member');
});

// Clauses A.3.5, A.3.6, C.5.1, C.5.2
test('a person is the id of the provider; name and address may change', async () => {
  const [before, after] = [newEmail(), newEmail()];
  const first = await shop.arrive(before, { sub: 'uid-changing', name: 'Ann' });
  const second = await shop.arrive(after, { sub: 'uid-changing', name: '  Ann Lee ' });
  expect([first.body._id, second.body._id]).toEqual(['uid-changing', 'uid-changing']);
  expect(await rowOf(before)).toBeUndefined();
  expect(await rowOf(after)).toMatchObject({ id: 'uid-changing', displayName: 'Ann Lee' });
});

// Clause C.5.1
test('one address, however it is written', async () => {
  const id = newEmail('jose\u0301');
  for (const written of [id, id.toUpperCase(), ` ${id} `, id.normalize('NFC')]) {
    const token = await shop.idToken(written.trim(), { sub: 'uid-variants' });
    expect((await putUser(shop.origin, written, token)).status).toBe(200);
  }
  expect(await rowOf(id.normalize('NFC').toLowerCase())).toMatchObject({ id: 'uid-variants' });
});

// Clause C.5.1
test('what merely looks alike is somebody else', async () => {
  const latin = newEmail('anna');
  const others = [latin.replace('a', '\u0430'), latin.replace('.', ''), latin.replace('@', '+tag@')];
  await shop.arrive(latin);
  for (const other of others) expect((await shop.arrive(other)).status).toBe(200);
  expect(await rowOf(latin)).toMatchObject({ id: `uid-of-${latin}` });
});

test('an address of 254 characters is kept, one of 400 is refused in our words', async () => {
  const long = `${'a'.repeat(254 - 13)}@shop.example`;
  expect((await shop.arrive(long, { sub: 'uid-long' })).status).toBe(200);
  const longer = `${'a'.repeat(400 - 13)}@shop.example`;
  const { status, headers, body } = await shop.arrive(longer, { sub: 'uid-longer' });
  expect([status >= 400 && status < 500, headers.get('content-type')]).toEqual([true, 'application/problem+json']);
  expect(body.code).toBe('uri_too_long');
});

test('an address with a slash or a percent sign in it', async () => {
  const odd = `a/b%2Fc.${process.pid}@shop.example`;
  const token = await shop.tokenOf(odd);
  expect(await shop.call(`/admin/${encodeURIComponent(odd)}`, { token })).toMatchObject({ body: { admin: false } });
});

async function placedBy(token: string): Promise<string> {
  const made = { price: 7, minimumOrderQuantity: 1, availableQuantity: 9, stockedQuantity: 9 };
  const [tool] = await shop.deps.db
    .insert(tools)
    .values({ name: 'Saw', description: 'A saw.', img: '/s.svg', ...made })
    .returning();
  const draft = { toolId: tool!.id, productName: 'Saw', totalQuantity: 1, address: '1 Road', phone: '123' };
  const { status, body } = await shop.call('/order', { method: 'POST', token, body: draft });
  expect([status, body['price']]).toEqual([201, 7]);
  return String(body['_id']);
}

// Clause C.5.3
test('an unproven address goes to whoever proves it; the taker keeps the id, and loses what is unpaid', async () => {
  const email = newEmail('victim');
  const taker = await shop.tokenOf(email, { sub: 'uid-taker' });
  await shop.call('/profile', { method: 'POST', token: taker, body: profile });
  const order = await placedBy(taker);
  const victim = await shop.arrive(email, { sub: 'uid-victim', email_verified: true });
  expect(victim).toMatchObject({ status: 200, body: { _id: 'uid-victim', email } });

  const { token } = victim.body;
  expect((await shop.call(`/profile/${email}`, { token })).body).toMatchObject({ email, address: '', linkedIn: '' });
  expect((await shop.call(`/order?email=${email}`, { token })).body).toEqual([]);
  expect((await shop.call(`/order/${order}`, { token })).status).toBe(404);
  expect((await shop.call(`/profile/${email}`, { token: taker })).status).toBe(403);
  expect((await shop.call(`/order?email=${email}`, { token: taker })).status).toBe(403);
  expect(await shop.arrive(email, { sub: 'uid-taker' })).toMatchObject({ status: 409, body: { code: 'email_taken' } });
  expect((await shop.call(`/order/${order}`, { token: taker })).status).toBe(404);
  const [row] = await shop.deps.db.select().from(orders).where(eq(orders.id, order));
  expect(row).toMatchObject({ ownerId: 'uid-taker', state: 'deleted', holdsStock: false });
});

// Clause C.5.5
test.each([
  ['unproven', false, false],
  ['unproven, of a proven one', true, false],
  ['proven, of a proven one', true, true],
])('an address held by another id is a conflict: %s', async (_name, held, wanted) => {
  const email = newEmail('held');
  await shop.arrive(email, { sub: `holder-${email}`, email_verified: held });
  const { status, body } = await shop.arrive(email, { sub: `other-${email}`, email_verified: wanted });
  expect([status, body.code]).toEqual([409, 'email_taken']);
  expect(await rowOf(email)).toMatchObject({ id: `holder-${email}` });
});

// Clause C.5.5
test('two people who prove or claim one address at once: one has it, and nothing breaks', async () => {
  for (let round = 0; round < 10; round += 1) {
    const email = newEmail('race');
    const both = [1, 2].map((n) => shop.arrive(email, { sub: `racer-${n}-${email}` }));
    const statuses = (await Promise.all(both)).map(({ status }) => status).sort();
    expect(statuses).toEqual([200, 409]);
  }
});

// Clause C.5.6
test('when an address turns out proven, older tokens end, and the profile that was written before is gone', async () => {
  const email = newEmail('flip');
  const older = await shop.tokenOf(email);
  await shop.call('/profile', { method: 'POST', token: older, body: profile });
  const newer = await shop.tokenOf(email, { email_verified: true });

  expect(await shop.call(`/admin/${email}`, { token: older })).toMatchObject({
    status: 401,
    body: { code: 'token_invalid' },
  });
  expect((await shop.call(`/profile/${email}`, { token: newer })).body).toMatchObject({ address: '', phone: '' });
  await shop.call('/profile', { method: 'POST', token: newer, body: profile });
  const again = await shop.tokenOf(email, { email_verified: true });
  for (const token of [newer, again])
    expect((await shop.call(`/profile/${email}`, { token })).body).toMatchObject({ address: '1 Road' });
  expect(
    await shop.deps.db
      .select()
      .from(profiles)
      .where(eq(profiles.userId, `uid-of-${email}`)),
  ).toHaveLength(1);
});

// Clause C.5.6
test('a new password, as the provider tells of it, ends older tokens', async () => {
  const email = newEmail('password');
  const older = await shop.tokenOf(email);
  await sleep(2);
  shop.google.state.account = { users: [{ validSince: '1', passwordUpdatedAt: Date.now() }] };
  const newer = await shop.tokenOf(email);
  const again = await shop.tokenOf(email);
  shop.google.state.account = SAYS_LITTLE;
  expect((await shop.call(`/admin/${email}`, { token: older })).status).toBe(401);
  for (const token of [newer, again]) expect((await shop.call(`/admin/${email}`, { token })).status).toBe(200);
});

test('a provider whose clock is ahead does not end the tokens that it is about to bring', async () => {
  const email = newEmail('ahead');
  // A new row ignores the time of the provider: only one that is there already can get it.
  await shop.tokenOf(email);
  shop.google.state.account = { users: [{ passwordUpdatedAt: Date.now() + 30_000 }] };
  const token = await shop.tokenOf(email);
  shop.google.state.account = SAYS_LITTLE;
  expect((await shop.call(`/admin/${email}`, { token })).status).toBe(200);
});

test.each(['TOKEN_EXPIRED', 'USER_DISABLED', 'USER_NOT_FOUND'])(
  'an account that is over (%s) renews nothing',
  async (message) => {
    shop.google.state.account = { error: { message } };
    const { status, body } = await shop.arrive(newEmail('over'));
    shop.google.state.account = SAYS_LITTLE;
    expect([status, body.code]).toEqual([401, 'token_invalid']);
  },
);

// Clause C.5.8
test('ADMIN_EMAILS counts for a proven address only, and leaves a trace', async () => {
  const boss = 'boss@shop.example';
  expect((await shop.arrive(boss)).body.role).toBe('member');
  expect((await shop.arrive(boss, { email_verified: true })).body.role).toBe('admin');
  expect((await shop.arrive(boss, { email_verified: true })).body.role).toBe('admin');
  const trace = await shop.deps.db
    .select()
    .from(promotions)
    .where(eq(promotions.targetId, `uid-of-${boss}`));
  expect(trace).toMatchObject([{ actorId: null, role: 'admin' }]);
});
