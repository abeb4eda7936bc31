import { eq } from 'drizzle-orm';
import { promotions, users } from '../../../server/db/schema';
import { putUser } from '../../support/api';
import { newEmail } from '../../support/customers';
import { MINIMAL_ACCOUNT } from '../../support/googleTokens';
import { type ShopWithGoogle, startShopWithGoogle } from '../../support/shop';

let shop: ShopWithGoogle;
beforeAll(async () => void (shop = await startShopWithGoogle({ env: { ADMIN_EMAILS: 'Boss@Shop.example' } })));
afterAll(() => shop.close());

const rowOf = async (email: string) => (await shop.deps.db.select().from(users).where(eq(users.email, email)))[0];

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
