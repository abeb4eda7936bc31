import { callShop } from '../../support/api';
import { type Customer, newAdmin, newCustomer } from '../../support/customers';
import { HOSTILE_LINKS, ODD_TEXTS, XSS_VECTORS } from '../../support/data/hostileInput';
import { startShop } from '../../support/shop';

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
    await saveProfile(ann, { ...DRAFT, phone: '555' });
    expect((await readProfile(ann, ann.email)).body).toEqual({
      email: ann.email,
      ...DRAFT,
      phone: '555',
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

  // Clause C.2.5
  it('can be read only by its owner and by admins', async () => {
    const [ann, bob, admin] = [await newCustomer(shop), await newCustomer(shop), await newAdmin(shop)];
    await saveProfile(ann, DRAFT);
    expect((await readProfile(null, ann.email)).status).toBe(401);
    expect((await readProfile(bob, ann.email)).status).toBe(403);
    expect((await readProfile(admin, ann.email)).body).toMatchObject(DRAFT);
    expect((await readProfile(admin, 'nobody@mail.example')).status).toBe(404);
    expect((await saveProfile(null, DRAFT)).status).toBe(401);
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
      phone: '5'.repeat(41),
      linkedIn: 'javascript:alert(1)',
      education: 7,
    });
    expect([invalidResponse.status, fieldsOf(invalidResponse)]).toEqual([
      422,
      ['address', 'education', 'linkedIn', 'phone'],
    ]);
    expect((await readProfile(ann, ann.email)).body['phone']).toBe('');
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
