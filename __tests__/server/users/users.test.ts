import { eq } from 'drizzle-orm';
import { promotions, users, tools } from '../../../server/db/schema';
import { PAGE_MESSAGES } from '../../../src/contract/pageMessages';
import { putUser, callShop } from '../../support/api';
import { newEmail, type Customer, newCustomer } from '../../support/customers';
import { type ShopWithGoogle, startShopWithGoogle, startShop } from '../../support/shop';
import { ODD_TEXTS, XSS_VECTORS } from '../../support/hostileInput';

/** Links that the shop must refuse, both for pages and for pictures. */
const HOSTILE_LINKS = [
  'javascript:alert(1)',
  ' javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java\tscript:alert(1)',
  'javascript://forgeline.example/%0aalert(1)',
  'data:text/html,<script>alert(1)</script>',
  'data:image/svg+xml,<svg onload=alert(1)>',
  'vbscript:msgbox(1)',
  'http://forgeline.example/a.png',
  'ftp://forgeline.example/a.png',
  'file:///etc/passwd',
  'blob:https://forgeline.example/1',
  '//evil.example/a.png',
  '/\\evil.example/a.png',
  '/\t/evil.example/a.png',
  'https:/\\evil.example',
  'https://user:secret@evil.example/a.png',
  'https://',
  'https://[::1',
  'https://evil.example/\u202egnp.a',
  'two words',
  'not-a-link',
];

describe('Users', () => {
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
});

describe('Profiles', () => {
  let shop: Awaited<ReturnType<typeof startShop>>;
  beforeAll(async () => {
    shop = await startShop();
  });
  afterAll(() => shop.close());

  const DRAFT = { address: '18 Foundry Row', phone: '+1 312 555 0142', linkedIn: 'https://linkedin.example/ann' };
  const saveProfile = (caller: Customer | null, body: unknown) =>
    callShop(shop.origin, '/profile', { method: 'POST', token: caller?.token, body });
  const readProfile = (caller: Customer | null, email: string) =>
    callShop(shop.origin, `/profile/${encodeURIComponent(email)}`, { token: caller?.token });
  const fieldsOf = ({ body }: Awaited<ReturnType<typeof saveProfile>>) =>
    (body['errors'] as { field: string }[]).map(({ field }) => field).sort();

  describe('A profile', () => {
    // Clause C.2.14
    it('that was never saved has empty fields', async () => {
      const ann = await newCustomer(shop);
      const { status, body } = await readProfile(ann, ann.email);
      expect([status, body]).toEqual([200, { email: ann.email, address: '', education: '', phone: '', linkedIn: '' }]);
    });

    // Clauses A.3.7, A.7.17
    it('contains the values that were last saved', async () => {
      const ann = await newCustomer(shop);
      const first = await saveProfile(ann, { ...DRAFT, education: 'Smith' });
      expect([first.status, first.body]).toEqual([201, { email: ann.email, ...DRAFT, education: 'Smith' }]);
      await saveProfile(ann, { ...DRAFT, phone: '555 0100' });
      expect((await readProfile(ann, ann.email)).body).toEqual({
        email: ann.email,
        ...DRAFT,
        phone: '555 0100',
        education: '',
      });
    });

    // Clauses C.2.6, C.2.7
    it("can be saved only by its owner, with any spelling of the owner's email", async () => {
      const [ann, bob] = [await newCustomer(shop), await newCustomer(shop)];
      expect((await saveProfile(ann, { ...DRAFT, email: ` ${ann.email.toUpperCase()} ` })).status).toBe(201);
      const { status, body } = await saveProfile(ann, { ...DRAFT, email: bob.email });
      expect([status, body.code]).toEqual([403, 'email_mismatch']);
      expect((await readProfile(bob, bob.email)).body['address']).toBe('');
    });

    it.each(['role', 'displayName', 'userId', '_id', '__proto__x'])('cannot contain the field %s', async (field) => {
      const ann = await newCustomer(shop);
      const response = await saveProfile(ann, { ...DRAFT, [field]: 'admin' });
      expect([response.status, fieldsOf(response)]).toEqual([422, [field]]);
    });
  });

  describe('POST /profile', () => {
    // Clause C.4.3
    it('answers with errors for all missing and invalid fields at once', async () => {
      const ann = await newCustomer(shop);
      const emptyResponse = await saveProfile(ann, {});
      expect([emptyResponse.status, fieldsOf(emptyResponse)]).toEqual([422, ['address', 'linkedIn', 'phone']]);
      const invalidResponse = await saveProfile(ann, {
        address: ' \n',
        phone: '555 0100'.repeat(41),
        linkedIn: 'javascript:alert(1)',
        education: 7,
      });
      expect([invalidResponse.status, fieldsOf(invalidResponse)]).toEqual([
        422,
        ['address', 'education', 'linkedIn', 'phone'],
      ]);
      expect((await readProfile(ann, ann.email)).body['phone']).toBe('');
      const { status, body } = await saveProfile(ann, { ...DRAFT, phone: '+1 555 01' });
      expect([status, body['errors']]).toEqual([422, [{ field: 'phone', message: PAGE_MESSAGES.phoneTooShort }]]);
    });
  });

  describe('POST /profile with unusual text', () => {
    it.each([...Object.entries(ODD_TEXTS), ...XSS_VECTORS.map((text, n) => [`vector ${n}`, text] as const)])(
      'stores it unchanged: %s',
      async (_name, text) => {
        const ann = await newCustomer(shop);
        expect((await saveProfile(ann, { ...DRAFT, address: text, education: text })).status).toBe(201);
        expect((await readProfile(ann, ann.email)).body).toMatchObject({ address: text, education: text });
      },
    );

    // Clause C.15.2
    it.each(HOSTILE_LINKS)('refuses the link %j', async (linkedIn) => {
      const ann = await newCustomer(shop);
      const response = await saveProfile(ann, { ...DRAFT, linkedIn });
      expect([response.status, fieldsOf(response)]).toEqual([422, ['linkedIn']]);
    });

    // Clause C.15.2
    it.each([
      ['linkedin.com/in/ann', 'https://linkedin.com/in/ann'],
      [' https://linkedin.com/in/ann ', 'https://linkedin.com/in/ann'],
      ['münchen.example/ann', 'https://münchen.example/ann'],
    ])('stores the link %j as %j', async (linkedIn, stored) => {
      const ann = await newCustomer(shop);
      expect((await saveProfile(ann, { ...DRAFT, linkedIn })).body['linkedIn']).toBe(stored);
      expect((await readProfile(ann, ann.email)).body['linkedIn']).toBe(stored);
    });
  });
});

describe('Displayed names', () => {
  let shop: Awaited<ReturnType<typeof startShop>>;
  let toolId: string;
  beforeAll(async () => {
    shop = await startShop();
    const stock = { price: 7, minimumOrderQuantity: 1, availableQuantity: 999, stockedQuantity: 999 };
    const [tool] = await shop.deps.db
      .insert(tools)
      .values({ name: 'Saw', description: 'A saw.', img: '/t.svg', ...stock })
      .returning();
    toolId = tool!.id;
  });
  afterAll(() => shop.close());

  const post = (author: Customer, path: string, body: object) =>
    callShop(shop.origin, path, { method: 'POST', token: author.token, body });
  const postReview = (author: Customer, description = 'Holds.') =>
    post(author, '/review', { description, ratings: 5, img: '/a.svg' });
  const placeOrder = (author: Customer) =>
    post(author, '/order', { toolId, productName: 'Saw', totalQuantity: 1, address: '1 Main', phone: '555 0100' });
  const newCustomerNamed = (displayName: string, more: Partial<typeof users.$inferInsert> = {}) =>
    newCustomer(shop, { displayName, ...more });

  async function namesShownFor(author: Customer): Promise<unknown[]> {
    const [reviewed, ordered] = [await postReview(author), await placeOrder(author)];
    expect([reviewed.status, ordered.status]).toEqual([201, 201]);
    return [reviewed.body['name'], ordered.body['client']];
  }

  /** A description, the text as entered, and the text as stored. */
  const HIDDEN_CHARACTERS: [string, string, string][] = [
    ['a direction override', 'Ann \u202Egnp.eeL', 'Ann gnp.eeL'],
    ['every direction mark', '\u200E\u200F\u061C\u202A\u202B\u202C\u202D\u202E\u2066\u2067\u2068\u2069Ann', 'Ann'],
    ['zero-width characters', 'A\u200Bn\u200Cn\u200D \u2060L\uFEFFee', 'Ann Lee'],
    ['soft hyphens and fillers', 'A\u00ADn\u034Fn\u115F\u3164\uFFA0 Lee', 'Ann Lee'],
    ['tag characters that spell hidden text', 'Ann\u{E0061}\u{E0062} Lee\u{E007F}', 'Ann Lee'],
    ['variation selectors', 'A\uFE0Fnn\u{E0100} Lee', 'Ann Lee'],
  ];
  const EMOJI = '👩‍👩‍👧‍👦 🏴󠁧󠁢󠁳󠁣󠁴󠁿 👍🏽 ❤️‍🔥 1️⃣ 🕵🏽‍♂️';

  describe('Direction overrides and invisible characters', () => {
    it.each(HIDDEN_CHARACTERS)(
      'are removed from the name on a review or an order: %s',
      async (_what, entered, stored) => {
        expect(await namesShownFor(await newCustomerNamed(entered))).toEqual([stored, stored]);
      },
    );

    it.each(HIDDEN_CHARACTERS)('are removed from the text of a review: %s', async (_what, entered, stored) => {
      expect((await postReview(await newCustomerNamed('Ann'), entered)).body['description']).toBe(stored);
    });

    it('are kept inside emoji', async () => {
      const ann = await newCustomerNamed(EMOJI);
      expect(await namesShownFor(ann)).toEqual([EMOJI, EMOJI]);
      expect((await postReview(ann, EMOJI)).body['description']).toBe(EMOJI);
    });

    it('count as an empty review or name if there is nothing else', async () => {
      const ann = await newCustomerNamed('\u202E\u200B\u3164\u2800', { email: 'ann.lee@mail.example' });
      expect(await namesShownFor(ann)).toEqual(['ann.lee', 'ann.lee']);
      const { status, body } = await postReview(ann, '\u200B\u202E \u3164');
      expect([status, body['errors']]).toEqual([422, [{ field: 'description', message: 'is required.' }]]);
    });
  });

  const IMITATIONS = [
    'Forgeline',
    'FORGELINE',
    'Forgeline Support',
    'The Forgeline team',
    'Official  Team Forgeline',
    'forge line',
    'F.o-r_g e/l i\u00B7n e',
    '🛠 Forgeline',
    'Fôrgélîñe',
    'F\u0336o\u0336r\u0336geline',
    'Fоrgеlіnе', // Cyrillic о, е, і
    'FΟRGELIΝΕ', // Greek Ο, Ν, Ε
    'Forge1ine',
    'F0rg3l1ne team',
    'Forgeiine',
    'Forge|ine',
    'Forg\u200Beline',
    'Ｆｏｒｇｅｌｉｎｅ',
    '𝐅𝐨𝐫𝐠𝐞𝐥𝐢𝐧𝐞',
    'Ⓕⓞⓡⓖⓔⓛⓘⓝⓔ',
    '🅵🅾🆁🅶🅴🅻🅸🅽🅴',
    '🇫🇴🇷🇬🇪🇱🇮🇳🇪',
    'ꜰᴏʀɢᴇʟɪɴᴇ',
  ];

  describe('The name of the shop', () => {
    it.each(IMITATIONS)('is not shown as the name of a customer: %s', async (displayName) => {
      const ann = await newCustomerNamed(displayName);
      const neutral = ann.email.split('@')[0];
      expect(await namesShownFor(ann)).toEqual([neutral, neutral]);
    });

    it('is not shown for a customer whose email imitates it', async () => {
      const ann = await newCustomerNamed('Forgeline', { email: 'f0rgeline.support@mail.example' });
      const bob = await newCustomerNamed('', { email: 'forgeline@mail.example' });
      for (const author of [ann, bob]) expect(await namesShownFor(author)).toEqual(['A customer', 'A customer']);
    });

    it('can be shown as the name of an admin, until the admin is demoted', async () => {
      const admin = await newCustomer(shop, { role: 'admin' });
      await shop.deps.db.update(users).set({ displayName: 'Forgeline Support' }).where(eq(users.id, admin.id));
      expect(await namesShownFor(admin)).toEqual(['Forgeline Support', 'Forgeline Support']);
      await shop.deps.db.update(users).set({ role: 'member' }).where(eq(users.id, admin.id));
      expect(await namesShownFor(admin)).not.toContain('Forgeline Support');
    });
  });
});
