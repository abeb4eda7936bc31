import { setTimeout as sleep } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import { orders, profiles, promotions, tools, users } from '../../../server/db/schema';
import { putUser } from '../../support/api';
import { newEmail } from '../../support/customers';
import { googleClaimsOf, MINIMAL_ACCOUNT } from '../../support/googleTokens';
import { type ShopWithGoogle, startShopWithGoogle } from '../../support/shop';

let shop: ShopWithGoogle;
beforeAll(async () => void (shop = await startShopWithGoogle({ env: { ADMIN_EMAILS: 'Boss@Shop.example' } })));
afterAll(() => shop.close());

const rowOf = async (email: string) => (await shop.deps.db.select().from(users).where(eq(users.email, email)))[0];
const profile = { address: '1 Road', phone: '123', linkedIn: 'https://l.example/x', education: 'PhD' };

// Clause C.2.4
test("a user cannot get another user's token", async () => {
  const [ann, bob] = [newEmail('ann'), newEmail('bob')];
  expect((await putUser(shop.origin, ann)).status).toBe(401);
  const bobsToken = await shop.idToken(bob);
  expect(await putUser(shop.origin, ann, bobsToken)).toMatchObject({ status: 403, body: { code: 'email_mismatch' } });
  expect((await putUser(shop.origin, bob, bobsToken, { email: ann })).status).toBe(403);
  expect(await rowOf(ann)).toBeUndefined();
  expect(await rowOf(bob)).toBeUndefined();
});

// Clause A.7.13
test('PUT /user accepts an email and no other field', async () => {
  const email = newEmail();
  const token = await shop.idToken(email);
  for (const body of [{}, { email: 7 }, { email, role: 'admin' }, { email, _id: 'x' }, [email]])
    expect((await putUser(shop.origin, email, token, body)).status).toBe(422);
  expect((await putUser(shop.origin, email, token)).body.role).toBe('member');
});

// Clauses A.3.5, A.3.6, C.5.1, C.5.2
test("a user is identified by the provider's id, even when name and email change", async () => {
  const [before, after] = [newEmail(), newEmail()];
  const first = await shop.signIn(before, { sub: 'uid-changing', name: 'Ann' });
  const second = await shop.signIn(after, { sub: 'uid-changing', name: '  Ann Lee ' });
  expect([first.body._id, second.body._id]).toEqual(['uid-changing', 'uid-changing']);
  expect(await rowOf(before)).toBeUndefined();
  expect(await rowOf(after)).toMatchObject({ id: 'uid-changing', displayName: 'Ann Lee' });
});

// Clause C.5.1
test('any spelling of an email is accepted, and the normalized email is stored', async () => {
  const email = newEmail('jose\u0301');
  for (const written of [email, email.toUpperCase(), ` ${email} `, email.normalize('NFC')]) {
    const token = await shop.idToken(written.trim(), { sub: 'uid-variants' });
    expect((await putUser(shop.origin, written, token)).status).toBe(200);
  }
  expect(await rowOf(email.normalize('NFC').toLowerCase())).toMatchObject({ id: 'uid-variants' });
});

// Clause C.5.1
test('emails that are similar but not equal belong to different users', async () => {
  const latin = newEmail('anna');
  const similarEmails = [latin.replace('a', '\u0430'), latin.replace('.', ''), latin.replace('@', '+tag@')];
  await shop.signIn(latin);
  for (const similar of similarEmails) expect((await shop.signIn(similar)).status).toBe(200);
  expect(await rowOf(latin)).toMatchObject({ id: `uid-of-${latin}` });
});

test('an email of 254 characters is accepted, but one of 400 is refused with a problem+json response', async () => {
  const longestEmail = `${'a'.repeat(254 - 13)}@shop.example`;
  expect((await shop.signIn(longestEmail, { sub: 'uid-long' })).status).toBe(200);
  const tooLongEmail = `${'a'.repeat(400 - 13)}@shop.example`;
  const { status, headers, body } = await shop.signIn(tooLongEmail, { sub: 'uid-longer' });
  expect([status >= 400 && status < 500, headers.get('content-type')]).toEqual([true, 'application/problem+json']);
  expect(body.code).toBe('uri_too_long');
});

test('an email can contain a slash and a percent sign', async () => {
  const email = `a/b%2Fc.${process.pid}@shop.example`;
  const token = await shop.signInForToken(email);
  expect(await shop.call(`/admin/${encodeURIComponent(email)}`, { token })).toMatchObject({ body: { admin: false } });
});

async function placeOrder(token: string): Promise<string> {
  const stock = { price: 7, minimumOrderQuantity: 1, availableQuantity: 9, stockedQuantity: 9 };
  const [tool] = await shop.deps.db
    .insert(tools)
    .values({ name: 'Saw', description: 'A saw.', img: '/s.svg', ...stock })
    .returning();
  const draft = { toolId: tool!.id, productName: 'Saw', totalQuantity: 1, address: '1 Road', phone: '123' };
  const { status, body } = await shop.call('/order', { method: 'POST', token, body: draft });
  expect([status, body['price']]).toEqual([201, 7]);
  return String(body['_id']);
}

// Clause C.5.3
test('an unverified email moves to the user who verifies it, and the previous user loses unpaid orders', async () => {
  const email = newEmail('victim');
  const previousToken = await shop.signInForToken(email, { sub: 'uid-taker' });
  await shop.call('/profile', { method: 'POST', token: previousToken, body: profile });
  const order = await placeOrder(previousToken);
  const newOwner = await shop.signIn(email, { sub: 'uid-victim', email_verified: true });
  expect(newOwner).toMatchObject({ status: 200, body: { _id: 'uid-victim', email } });

  const { token } = newOwner.body;
  expect((await shop.call(`/profile/${email}`, { token })).body).toMatchObject({ email, address: '', linkedIn: '' });
  expect((await shop.call(`/order?email=${email}`, { token })).body).toEqual([]);
  expect((await shop.call(`/order/${order}`, { token })).status).toBe(404);
  expect((await shop.call(`/profile/${email}`, { token: previousToken })).status).toBe(403);
  expect((await shop.call(`/order?email=${email}`, { token: previousToken })).status).toBe(403);
  expect(await shop.signIn(email, { sub: 'uid-taker' })).toMatchObject({ status: 409, body: { code: 'email_taken' } });
  expect((await shop.call(`/order/${order}`, { token: previousToken })).status).toBe(404);
  const [row] = await shop.deps.db.select().from(orders).where(eq(orders.id, order));
  expect(row).toMatchObject({ ownerId: 'uid-taker', state: 'deleted', holdsStock: false });
});

// Clause C.5.3
test.each([
  ['both unverified', false, false],
  ['only the holder verified', true, false],
  ['both verified', true, true],
])('signing in with an email that another user holds answers 409: %s', async (_name, holderVerified, otherVerified) => {
  const email = newEmail('held');
  await shop.signIn(email, { sub: `holder-${email}`, email_verified: holderVerified });
  const { status, body } = await shop.signIn(email, { sub: `other-${email}`, email_verified: otherVerified });
  expect([status, body.code]).toEqual([409, 'email_taken']);
  expect(await rowOf(email)).toMatchObject({ id: `holder-${email}` });
});

// Clause C.5.3
test('when two users sign in with the same new email simultaneously, one gets it and the other gets a 409', async () => {
  for (let round = 0; round < 10; round += 1) {
    const email = newEmail('race');
    const signIns = [1, 2].map((n) => shop.signIn(email, { sub: `racer-${n}-${email}` }));
    const statuses = (await Promise.all(signIns)).map(({ status }) => status).sort();
    expect(statuses).toEqual([200, 409]);
  }
});

test('a user who proves the email by a link keeps tokens, profile and unpaid orders', async () => {
  const email = newEmail('proof');
  const olderToken = await shop.signInForToken(email);
  await shop.call('/profile', { method: 'POST', token: olderToken, body: profile });
  const order = await placeOrder(olderToken);
  await shop.signInForToken(email, { email_verified: true });

  expect(await rowOf(email)).toMatchObject({ emailVerified: true });
  expect((await shop.call(`/profile/${email}`, { token: olderToken })).body).toMatchObject({ address: '1 Road' });
  expect((await shop.call(`/order/${order}`, { token: olderToken })).body).toMatchObject({ _id: order });
});

// Clause C.5.6
test('an account that never proved its email and becomes one of Google ends all older tokens and clears the profile', async () => {
  const email = newEmail('flip');
  const olderToken = await shop.signInForToken(email);
  await shop.call('/profile', { method: 'POST', token: olderToken, body: profile });
  const newerToken = await shop.signInForToken(email, googleClaimsOf(email));

  expect(await shop.call(`/admin/${email}`, { token: olderToken })).toMatchObject({
    status: 401,
    body: { code: 'token_invalid' },
  });
  expect((await shop.call(`/profile/${email}`, { token: newerToken })).body).toMatchObject({ address: '', phone: '' });
  await shop.call('/profile', { method: 'POST', token: newerToken, body: profile });
  const laterToken = await shop.signInForToken(email, googleClaimsOf(email));
  for (const token of [newerToken, laterToken])
    expect((await shop.call(`/profile/${email}`, { token })).body).toMatchObject({ address: '1 Road' });
  expect(
    await shop.deps.db
      .select()
      .from(profiles)
      .where(eq(profiles.userId, `uid-of-${email}`)),
  ).toHaveLength(1);
});

// Clause C.5.6
test('a password change that the identity provider reports ends all older tokens', async () => {
  const email = newEmail('password');
  const olderToken = await shop.signInForToken(email);
  await sleep(2);
  shop.google.state.account = { users: [{ validSince: '1', passwordUpdatedAt: Date.now() }] };
  const newerToken = await shop.signInForToken(email);
  const laterToken = await shop.signInForToken(email);
  shop.google.state.account = MINIMAL_ACCOUNT;
  expect((await shop.call(`/admin/${email}`, { token: olderToken })).status).toBe(401);
  for (const token of [newerToken, laterToken])
    expect((await shop.call(`/admin/${email}`, { token })).status).toBe(200);
});

test("if the identity provider's clock is ahead, the tokens of the current sign-in stay valid", async () => {
  const email = newEmail('ahead');
  // Signs in twice, because only the sign-in of an existing user stores the provider's time.
  await shop.signInForToken(email);
  shop.google.state.account = { users: [{ passwordUpdatedAt: Date.now() + 30_000 }] };
  const token = await shop.signInForToken(email);
  shop.google.state.account = MINIMAL_ACCOUNT;
  expect((await shop.call(`/admin/${email}`, { token })).status).toBe(200);
});

test('tokens that the identity provider has ended stay ended when a later sign-in reports an earlier time', async () => {
  const email = newEmail('earlier');
  const token = await shop.signInForToken(email);
  const statuses: number[] = [];
  await sleep(5);
  for (const passwordUpdatedAt of [Date.now(), Date.now() - 60_000]) {
    shop.google.state.account = { users: [{ passwordUpdatedAt }] };
    await shop.signInForToken(email);
    statuses.push((await shop.call(`/admin/${email}`, { token })).status);
  }
  shop.google.state.account = MINIMAL_ACCOUNT;
  expect(statuses).toEqual([401, 401]);
});

test.each(['TOKEN_EXPIRED', 'USER_DISABLED', 'USER_NOT_FOUND'])(
  'a sign-in gets a 401 if the account lookup reports %s',
  async (message) => {
    shop.google.state.account = { error: { message } };
    const { status, body } = await shop.signIn(newEmail('over'));
    shop.google.state.account = MINIMAL_ACCOUNT;
    expect([status, body.code]).toEqual([401, 'token_invalid']);
  },
);

// Clause C.5.8
test('ADMIN_EMAILS promotes only users whose email is verified, and records the promotion', async () => {
  const boss = 'boss@shop.example';
  expect((await shop.signIn(boss)).body.role).toBe('member');
  expect((await shop.signIn(boss, { email_verified: true })).body.role).toBe('admin');
  expect((await shop.signIn(boss, { email_verified: true })).body.role).toBe('admin');
  const recorded = await shop.deps.db
    .select()
    .from(promotions)
    .where(eq(promotions.targetId, `uid-of-${boss}`));
  expect(recorded).toMatchObject([{ actorId: null, role: 'admin' }]);
});
