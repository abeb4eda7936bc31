import { eq } from 'drizzle-orm';
import { tools, users } from '../../../server/db/schema';
import { callShop, putUser } from '../../support/api';
import { type Customer, demote, newAdmin, newCustomer } from '../../support/customers';
import { callAccounts } from '../../support/identity';
import { startShop } from '../../support/shop';

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
  post(author, '/order', { toolId, productName: 'Saw', totalQuantity: 1, address: '1 Main', phone: '555' });
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

  it.each(HIDDEN_CHARACTERS)(
    'are removed from the display name at PUT /user: %s',
    async (_what, displayName, stored) => {
      const email = `hidden.${HIDDEN_CHARACTERS.findIndex(([, entered]) => entered === displayName)}@mail.example`;
      const account = { email, password: 'secret-1', returnSecureToken: true };
      const { body } = await callAccounts(shop.origin, 'signUp', account);
      const { idToken } = body as { idToken: string };
      await callAccounts(shop.origin, 'update', { idToken, displayName });
      const signedIn = await callAccounts(shop.origin, 'signInWithPassword', account);
      expect((await putUser(shop.origin, email, String(signedIn.body['idToken']))).status).toBe(200);
      const [user] = await shop.deps.db.select().from(users).where(eq(users.email, email));
      expect(user!.displayName).toBe(stored);
    },
  );

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
    const admin = await newAdmin(shop);
    await shop.deps.db.update(users).set({ displayName: 'Forgeline Support' }).where(eq(users.id, admin.id));
    expect(await namesShownFor(admin)).toEqual(['Forgeline Support', 'Forgeline Support']);
    await demote(shop, admin);
    expect(await namesShownFor(admin)).not.toContain('Forgeline Support');
  });
});
