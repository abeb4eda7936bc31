import { eq } from 'drizzle-orm';
import { orders, tools, users } from '../../../server/db/schema';
import { newEmail } from '../../support/customers';
import { googleClaimsOf } from '../../support/googleTokens';
import { type ShopWithGoogle, startShopWithGoogle } from '../../support/shop';
import type { CallerAccount } from '../../../server/auth/access';
import { callerTransaction } from '../../../server/auth/callerTransaction';
import { normalizeEmail } from '../../../server/auth/emailAddress';

describe('Addresses of accounts', () => {
  let shop: ShopWithGoogle;
  beforeAll(async () => void (shop = await startShopWithGoogle()));
  afterAll(() => shop.close());

  const PROFILE = { address: '1 Road', phone: '555 0100', linkedIn: 'https://l.example/x', education: 'PhD' };
  const holdersOf = async (email: string) =>
    (await shop.deps.db.select({ id: users.id }).from(users).where(eq(users.email, email))).map(({ id }) => id);

  async function placeOrder(token: string): Promise<string> {
    const stock = { price: 7, minimumOrderQuantity: 1, availableQuantity: 9, stockedQuantity: 9 };
    const [tool] = await shop.deps.db
      .insert(tools)
      .values({ name: 'Saw', description: 'A saw.', img: '/s.svg', ...stock })
      .returning();
    const draft = { toolId: tool!.id, productName: 'Saw', totalQuantity: 1, address: '1 Road', phone: '555 0100' };
    const { status, body } = await shop.call('/order', { method: 'POST', token, body: draft });
    expect(status).toBe(201);
    return String(body['_id']);
  }

  /** Signs in, saves a profile and places an order. */
  async function newHolder(email: string) {
    const id = `earlier-${email}`;
    const token = await shop.signInForToken(email, { sub: id });
    await shop.call('/profile', { method: 'POST', token, body: PROFILE });
    return { id, token, order: await placeOrder(token) };
  }

  describe('An address', () => {
    // Clause C.5.3
    it.each([
      ['nobody proved it', false, false],
      ['only the earlier holder proved it', true, false],
      ['only the later holder proved it', false, true],
      ['both proved it', true, true],
    ])('belongs to whoever signed in with it last: %s', async (_proof, earlier, later) => {
      const email = newEmail('shared');
      for (const [sub, email_verified] of [['earlier', earlier] as const, ['later', later] as const]) {
        expect((await shop.signIn(email, { sub: `${sub}-${email}`, email_verified })).body._id).toBe(`${sub}-${email}`);
        expect(await holdersOf(email)).toEqual([`${sub}-${email}`]);
      }
      await shop.signIn(email, { sub: `earlier-${email}` });
      expect(await holdersOf(email)).toEqual([`earlier-${email}`]);
    });

    // Clause C.5.3
    it('passes to another account without its orders and its profile', async () => {
      const email = newEmail('passed');
      const { id, order } = await newHolder(email);
      const token = await shop.signInForToken(email, { ...googleClaimsOf(email), sub: `later-${email}` });
      expect((await shop.call(`/profile/${email}`, { token })).body).toMatchObject({ email, address: '' });
      expect((await shop.call(`/order?email=${email}`, { token })).body).toEqual([]);
      expect((await shop.call(`/order/${order}`, { token })).status).toBe(404);
      const [row] = await shop.deps.db.select().from(orders).where(eq(orders.id, order));
      expect(row).toMatchObject({ ownerId: id, state: 'unpaid', holdsStock: true });
    });

    // Clause C.5.3
    it('leaves its earlier holder with orders, tokens, role and profile', async () => {
      const [email, nextEmail] = [newEmail('left'), newEmail('next')];
      const { id, token, order } = await newHolder(email);
      await shop.deps.db.update(users).set({ role: 'admin' }).where(eq(users.id, id));
      await shop.signIn(email, { sub: `later-${email}` });
      expect((await shop.call(`/order/${order}`, { token })).status).toBe(200);
      expect((await shop.call('/user', { token })).status).toBe(200);

      const { body } = await shop.signIn(nextEmail, { sub: id });
      expect(body).toMatchObject({ _id: id, role: 'admin' });
      const own = { token: body.token };
      expect((await shop.call(`/profile/${nextEmail}`, own)).body).toMatchObject({ address: PROFILE.address });
      expect((await shop.call(`/order?email=${nextEmail}`, own)).body).toMatchObject([{ _id: order, email }]);
    });

    // Clause C.2.5
    it('that passed on no longer opens anything to its earlier holder', async () => {
      const email = newEmail('gone');
      const { token } = await newHolder(email);
      await shop.signIn(email, { sub: `later-${email}` });
      for (const path of [`/profile/${email}`, `/order?email=${email}`, `/admin/${email}`])
        expect([path, (await shop.call(path, { token })).status]).toEqual([path, 403]);
    });

    // Clause C.5.3
    it('that passed on, or whose account was erased, since a request began stores no personal data', async () => {
      const email = newEmail('former');
      const { id } = await newHolder(email);
      const store = jest.fn();
      for (const caller of [
        { id, email: newEmail('later') },
        { id: 'erased', email },
      ])
        await expect(callerTransaction(shop.deps.db, caller as CallerAccount, store)).rejects.toMatchObject({
          code: 'token_invalid',
        });
      expect(store).not.toHaveBeenCalled();
    });

    it('has one holder after two accounts signed in with it at the same time', async () => {
      for (let round = 0; round < 10; round += 1) {
        const email = newEmail('race');
        const signIns = [1, 2, 3].map((n) => shop.signIn(email, { sub: `racer-${n}-${email}` }));
        expect((await Promise.all(signIns)).map(({ status }) => status)).toEqual([200, 200, 200]);
        expect(await holdersOf(email)).toHaveLength(1);
      }
    });

    it('can be exchanged with that of another account at the same time', async () => {
      const emails = [newEmail('left'), newEmail('right')];
      const ids = emails.map((email) => `uid-of-${email}`);
      for (let round = 0; round < 10; round += 1) {
        const turned = round % 2 ? emails.toReversed() : emails;
        const signIns = ids.map((sub, n) => shop.signIn(turned[n]!, { sub }));
        expect((await Promise.all(signIns)).map(({ status }) => status)).toEqual([200, 200]);
        expect(await Promise.all(turned.map(holdersOf))).toEqual(ids.map((id) => [id]));
      }
    });
  });
});

describe('The text of an email', () => {
  // Clause C.5.1
  test.each([
    [' Ann@Ex.COM ', 'ann@ex.com'],
    ['ANN.LEE+tools@ex.com', 'ann.lee+tools@ex.com'],
    ['jose\u0301@ex.com', 'jos\u00e9@ex.com'],
    ['JOSE\u0301@ex.com', 'jos\u00e9@ex.com'],
    ['\u0130@ex.com', 'i\u0307@ex.com'],
  ])('%j is normalized to %j', (typed, normalized) => {
    expect(normalizeEmail(typed)).toBe(normalized);
    expect(normalizeEmail(normalized)).toBe(normalized);
  });

  // Clause C.5.1
  test('an email with a Cyrillic letter is not the same email as with the Latin one', () => {
    expect(normalizeEmail('\u0430@x.io')).not.toBe(normalizeEmail('a@x.io'));
  });

  test.each([
    0x115f, 0x1160, 0x3164, 0xffa0, 0x2800, 0x034f, 0x180e, 0x200d, 0xfe0f, 0xfffc, 0x13441, 0x1d159, 0xe0061, 0xe000,
  ])('an email that contains the invisible character with the code %i is refused', (code) =>
    expect(normalizeEmail(`an${String.fromCodePoint(code)}n@ex.com`)).toBeUndefined(),
  );

  // Clause C.5.1
  test.each([
    '',
    'ann',
    '@ex.com',
    'ann@',
    'a@b@c',
    'a n@ex.com',
    'a\u0000@ex.com',
    'a\u200b@ex.com',
    'a\ud800@ex.com',
  ])('%j is not an email', (typed) => expect(normalizeEmail(typed)).toBeUndefined());

  // Clause C.5.1
  test('an email has at most 254 characters', () => {
    expect(normalizeEmail(`${'a'.repeat(247)}@ex.com`)).toHaveLength(254);
    expect(normalizeEmail(`${'a'.repeat(248)}@ex.com`)).toBeUndefined();
  });
});
