import type { Tool } from '../../../src/contract/entities';
import { callShop } from '../../support/api';
import { type Customer, newAdmin, newCustomer } from '../../support/customers';
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
const addTool = (caller: Customer | null, body: unknown) =>
  callShop(shop.origin, '/tool', { method: 'POST', token: caller?.token, body });
const listTools = async () => (await callShop(shop.origin, '/tool')).body as unknown as Tool[];
const fieldsOf = ({ body }: Awaited<ReturnType<typeof addTool>>) =>
  (body['errors'] as { field: string }[]).map(({ field }) => field).sort();

describe('A tool', () => {
  // Clauses A.3.1, A.7.3, C.3.4
  it('that an admin adds is immediately the last tool in the list', async () => {
    await addTool(admin, { ...DRAFT, name: 'First' });
    const { status, body } = await addTool(admin, DRAFT);
    expect([status, body]).toEqual([201, { _id: expect.any(String), ...DRAFT }]);
    expect((await listTools()).at(-1)).toEqual(body);
    expect((await callShop(shop.origin, `/tool/${String(body['_id'])}`)).body).toEqual(body);
  });

  // Clause C.2.12
  it('can be added by admins only', async () => {
    const customer = await newCustomer(shop);
    const before = (await listTools()).length;
    expect([(await addTool(null, DRAFT)).status, (await addTool(customer, DRAFT)).status]).toEqual([401, 403]);
    expect((await addTool(customer, { rubbish: true })).status).toBe(403);
    expect(await listTools()).toHaveLength(before);
  });
});

describe('GET /tool/{id}', () => {
  // Clause C.4.4
  it.each(['00000000-0000-0000-0000-000000000000', 'nothing', '1', '%00', "'--", '🔨'])(
    'answers 404 for the unknown id %j',
    async (id) => {
      const { status, body } = await callShop(shop.origin, `/tool/${encodeURIComponent(id)}`);
      expect([status, body.code]).toEqual([404, 'not_found']);
    },
  );
});

describe('POST /tool', () => {
  // Clause C.4.3
  it('answers with an error for every missing field', async () => {
    const response = await addTool(admin, {});
    expect([response.status, fieldsOf(response)]).toEqual([422, Object.keys(DRAFT).sort()]);
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
  ])('refuses %s: %j, and stores nothing', async (field, value) => {
    const before = (await listTools()).length;
    const response = await addTool(admin, { ...DRAFT, [field]: value });
    expect([response.status, response.body.code, fieldsOf(response)]).toEqual([422, 'validation', [field]]);
    expect(await listTools()).toHaveLength(before);
  });
});
