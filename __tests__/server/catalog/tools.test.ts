import type { Tool } from '../../../src/contract/entities';
import { callShop } from '../../support/api';
import { type Customer, newAdmin, newCustomer } from '../../support/customers';
import { HOSTILE_LINKS, ODD_TEXTS } from '../../support/data/hostileInput';
import { startShop } from '../../support/shop';

let shop: Awaited<ReturnType<typeof startShop>>;
let admin: Customer;
beforeAll(async () => {
  shop = await startShop();
  admin = await newAdmin(shop);
});
afterAll(() => shop.close());

const DRAFT = {
  name: 'Dead blow hammer',
  price: 42,
  minimumOrderQuantity: 20,
  availableQuantity: 120,
  description: 'Lands once.',
  img: '/images/tools/hammer.svg',
};
const add = (who: Customer | null, body: unknown) =>
  callShop(shop.origin, '/tool', { method: 'POST', token: who?.token, body });
const list = async () => (await callShop(shop.origin, '/tool')).body as unknown as Tool[];
const fieldsOf = ({ body }: Awaited<ReturnType<typeof add>>) =>
  (body['errors'] as { field: string }[]).map(({ field }) => field).sort();

describe('A tool', () => {
  // Clauses A.3.1, A.7.3, C.3.4
  it('that an admin adds is in the shop at once, last in the list', async () => {
    await add(admin, { ...DRAFT, name: 'First' });
    const { status, body } = await add(admin, DRAFT);
    expect([status, body]).toEqual([201, { _id: expect.any(String), ...DRAFT }]);
    expect((await list()).at(-1)).toEqual(body);
    expect((await callShop(shop.origin, `/tool/${String(body['_id'])}`)).body).toEqual(body);
  });

  // Clause C.2.12
  it('is added by admins alone', async () => {
    const customer = await newCustomer(shop);
    const before = (await list()).length;
    expect([(await add(null, DRAFT)).status, (await add(customer, DRAFT)).status]).toEqual([401, 403]);
    expect((await add(customer, { rubbish: true })).status).toBe(403);
    expect(await list()).toHaveLength(before);
  });

  it('may have more as its minimum than there is', async () => {
    expect((await add(admin, { ...DRAFT, minimumOrderQuantity: 500, availableQuantity: 0 })).status).toBe(201);
  });

  it('may have the largest price and quantities', async () => {
    const most = { price: 1_000_000, minimumOrderQuantity: 1_000_000, availableQuantity: 1_000_000 };
    const { status, body } = await add(admin, { ...DRAFT, ...most });
    expect([status, body]).toEqual([201, { _id: expect.any(String), ...DRAFT, ...most }]);
  });

  it('may have the smallest price and quantities', async () => {
    const least = { price: 1, minimumOrderQuantity: 1, availableQuantity: 0 };
    expect((await add(admin, { ...DRAFT, ...least })).status).toBe(201);
  });

  // Clause C.4.4
  it.each(['00000000-0000-0000-0000-000000000000', 'nothing', '1', '%00', "'--", '🔨'])('%j is none', async (id) => {
    const { status, body } = await callShop(shop.origin, `/tool/${encodeURIComponent(id)}`);
    expect([status, body.code]).toEqual([404, 'not_found']);
  });
});

describe('What is no tool', () => {
  // Clause C.4.3
  it('every missing field is named', async () => {
    const answer = await add(admin, {});
    expect([answer.status, fieldsOf(answer)]).toEqual([422, Object.keys(DRAFT).sort()]);
  });

  // Clauses C.3.2, C.3.3
  it.each([
    ['price', 0],
    ['price', 1_000_001],
    ['price', 42.5],
    ['price', '42'],
    ['price', null],
    ['minimumOrderQuantity', 0],
    ['minimumOrderQuantity', 1_000_001],
    ['minimumOrderQuantity', 1.5],
    ['availableQuantity', -1],
    ['availableQuantity', 1_000_001],
    ['availableQuantity', '7'],
    ['name', '   '],
    ['name', 'n'.repeat(121)],
    ['description', 'd'.repeat(2001)],
    ['description', 'a\u0000'],
    ['_id', 'mine'],
    ['stockedQuantity', 1],
    ['demo', true],
  ])('%s: %j is refused, and nothing is recorded', async (field, value) => {
    const before = (await list()).length;
    const answer = await add(admin, { ...DRAFT, [field]: value });
    expect([answer.status, answer.body.code, fieldsOf(answer)]).toEqual([422, 'validation', [field]]);
    expect(await list()).toHaveLength(before);
  });

  it('a price that is no number and a picture that is no link are both named', async () => {
    expect(fieldsOf(await add(admin, { ...DRAFT, price: 'free', img: 'javascript:alert(1)' }))).toEqual([
      'img',
      'price',
    ]);
  });

  // Clause C.15.2
  it.each(HOSTILE_LINKS)('%j is no picture', async (img) => {
    expect(fieldsOf(await add(admin, { ...DRAFT, img }))).toEqual(['img']);
  });
});

it.each(Object.entries(ODD_TEXTS))('%s is kept to the letter', async (_name, text) => {
  const { status, body } = await add(admin, { ...DRAFT, name: text, description: text });
  expect([status, body['name'], body['description']]).toEqual([201, text, text]);
  expect((await list()).at(-1)).toEqual(body);
});
