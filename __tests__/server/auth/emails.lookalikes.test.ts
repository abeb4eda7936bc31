import { eq } from 'drizzle-orm';
import { users } from '../../../server/db/schema';
import { newEmail } from '../../support/customers';
import { type ShopWithGoogle, startShopWithGoogle } from '../../support/shop';

const CONFIGURED_EMAIL = 'chief@shop.example';
let shop: ShopWithGoogle;
let adminEmail: string;
beforeAll(async () => {
  shop = await startShopWithGoogle({ env: { ADMIN_EMAILS: CONFIGURED_EMAIL } });
  adminEmail = newEmail('vince.copaxi');
  await shop.signIn(adminEmail);
  await shop.deps.db.update(users).set({ role: 'admin' }).where(eq(users.email, adminEmail));
});
afterAll(() => shop.close());

const replaceInAdminEmail = (from: string, to: string) => () => adminEmail.replace(from, to);
const LOOKALIKES: [string, () => string][] = [
  ['a Cyrillic а', replaceInAdminEmail('a', '\u0430')],
  ['a Cyrillic о', replaceInAdminEmail('o', '\u043e')],
  ['a Greek ο', replaceInAdminEmail('o', '\u03bf')],
  ['a Greek ν', replaceInAdminEmail('v', '\u03bd')],
  ['an Armenian օ', replaceInAdminEmail('o', '\u0585')],
  ['an i without its dot', replaceInAdminEmail('i', '\u0131')],
  ['a palochka in the domain', replaceInAdminEmail('shop.example', 'shop.examp\u04cfe')],
  ['a Cyrillic word', replaceInAdminEmail('copaxi', '\u0441\u043e\u0440\u0430\u0445\u0456')],
  ['wide letters', replaceInAdminEmail('vince', '\uff56\uff49\uff4e\uff43\uff45')],
  ['mathematical letters', replaceInAdminEmail('c', '\u{1d41c}')],
  ['a Roman numeral', replaceInAdminEmail('x', '\u2179')],
  ['a script a', replaceInAdminEmail('a', '\u0251')],
];

test.each(LOOKALIKES)("an email that uses %s to imitate an admin's email is refused", async (_trick, imitation) => {
  const email = imitation();
  expect(email).not.toBe(adminEmail);
  expect(await shop.signIn(email)).toMatchObject({ status: 409, body: { code: 'email_lookalike' } });
  expect(await shop.deps.db.$count(users, eq(users.email, email))).toBe(0);
});

test('an email that imitates an email in ADMIN_EMAILS is refused even before that admin has first signed in', async () => {
  expect((await shop.signIn(CONFIGURED_EMAIL.replace('i', '\u0456'))).body.code).toBe('email_lookalike');
});

test("an email is accepted if it imitates a customer's email, imitates an admin's with ASCII characters only, or imitates none", async () => {
  const customer = newEmail('anna');
  await shop.signIn(customer);
  for (const email of [
    customer.replace('a', '\u0430'),
    adminEmail.replace('copaxi', 'c0paxl'),
    adminEmail.replace('copaxi', 'm\u00fcller'),
    `\u0438\u0432\u0430\u043d.${process.pid}@shop.example`,
  ])
    expect([email, (await shop.signIn(email)).status]).toEqual([email, 200]);
});

test('an admin whose own email contains lookalike letters can sign in', async () => {
  const email = adminEmail.replace('v', '\u03bd');
  await shop.deps.db.insert(users).values({ id: `uid-of-${email}`, email, role: 'admin' });
  expect((await shop.signIn(email)).status).toBe(200);
});

test.each([0x115f, 0x1160, 0x3164, 0xffa0, 0x2800, 0x034f, 0x17b4, 0xfe0f, 0xe0100])(
  'an email that contains the invisible character with the code %i is refused',
  async (code) => {
    const email = adminEmail.replace('vince', `vin${String.fromCodePoint(code)}ce`);
    expect((await shop.signIn(email)).status).toBe(401);
    expect(await shop.deps.db.$count(users, eq(users.email, email))).toBe(0);
  },
);
