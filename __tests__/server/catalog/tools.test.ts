import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { Tool } from '../../../src/contract/entities';
import { callShop } from '../../support/api';
import { type Customer, newCustomer } from '../../support/customers';
import { startShop } from '../../support/shop';
import { openOrderTestKit, type OrderTestKit } from '../../support/orders';

describe('Adding and reading tools', () => {
  let shop: Awaited<ReturnType<typeof startShop>>;
  let admin: Customer;
  beforeAll(async () => {
    shop = await startShop();
    admin = await newCustomer(shop, { role: 'admin' });
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
});

describe('Editing tools', () => {
  let kit: OrderTestKit;
  let admin: Customer;
  beforeAll(async () => {
    kit = await openOrderTestKit();
    admin = await kit.createCustomer('admin');
  });
  afterAll(async () => {
    expect(await kit.countWrongStocks()).toBe(0);
    await kit.close();
  });

  const edit = (id: string, body: unknown, { key, caller = admin }: { key?: string; caller?: Customer } = {}) =>
    kit.call<Tool>(caller, 'PATCH', `/tool/${id}`, body, key ? { 'idempotency-key': key } : {});
  const errorFields = ({ body }: Awaited<ReturnType<typeof edit>>) => body.errors?.map(({ field }) => field);
  const readActs = async (id: string) =>
    (await kit.deps.db.execute(sql`select actor_id, act, detail from admin_acts where subject = ${id} order by id`))
      .rows;

  describe('An edit of a tool', () => {
    it('changes only the fields in the request, is visible immediately, and is recorded in the audit log', async () => {
      const tool = await kit.createTool({ price: 7, availableQuantity: 100 });
      const { status, body } = await edit(tool.id, { price: 9, description: 'Made of Gödr steel.' });
      const expected = { _id: tool.id, name: tool.name, price: 9, description: 'Made of Gödr steel.' };
      expect([status, body]).toEqual([200, expect.objectContaining({ ...expected, availableQuantity: 100 })]);
      expect((await kit.call<Tool>(null, 'GET', `/tool/${tool.id}`)).body).toMatchObject(expected);
      expect(await readActs(tool.id)).toEqual([
        { actor_id: admin.id, act: 'edit tool', detail: { price: 9, description: 'Made of Gödr steel.' } },
      ]);
    });

    it('that changes nothing is not recorded in the audit log', async () => {
      const tool = await kit.createTool({ price: 7 });
      expect((await edit(tool.id, { price: 7, stockChange: 0 })).status).toBe(200);
      expect(await readActs(tool.id)).toEqual([]);
    });

    it('does not change the price of existing orders', async () => {
      const [customer, tool] = [await kit.createCustomer(), await kit.createTool({ price: 7 })];
      const { body: order } = await kit.placeOrder(customer, { productName: tool.name, totalQuantity: 3 });
      await edit(tool.id, { price: 70, name: `New ${randomUUID()}` });
      const { body: unchanged } = await kit.call(customer, 'GET', `/order/${order._id}`);
      expect([unchanged.price, unchanged.productName]).toEqual([7, tool.name]);
    });

    it.each([
      ['price', 0],
      ['price', '9'],
      ['minimumOrderQuantity', -1],
      ['name', ' '],
      ['img', 'javascript:alert(1)'],
      ['stockChange', 1.5],
      ['onSale', 'no'],
    ])('with an invalid %s gets an error for that field, and none of its changes is stored', async (field, value) => {
      const tool = await kit.createTool();
      const response = await edit(tool.id, { description: 'Changed.', [field]: value });
      expect([response.status, errorFields(response)]).toEqual([422, [field]]);
      const { body: allTools } = await kit.call<Tool[]>(admin, 'GET', '/tool/all');
      expect(allTools.find(({ _id }) => _id === tool.id)).toMatchObject({ description: tool.description });
    });

    it('is allowed only to admins, and answers 404 if the tool does not exist', async () => {
      const [customer, tool] = [await kit.createCustomer(), await kit.createTool()];
      expect((await edit(tool.id, { price: 1 }, { caller: customer })).status).toBe(403);
      expect((await edit(randomUUID(), { price: 1 })).body.code).toBe('not_found');
      expect((await edit('hammer', { price: 1 })).body.code).toBe('not_found');
    });

    it("is rejected if another admin has just changed the same field, and the response contains that admin's value", async () => {
      const tool = await kit.createTool({ price: 7 });
      await edit(tool.id, { price: 8, was: { price: 7 } });
      const second = await edit(tool.id, { price: 9, description: 'Mine.', was: { price: 7, description: 'A tool.' } });
      expect(second.body).toEqual({
        type: '/problems/tool_changed',
        title: 'Tool was changed by another admin',
        status: 409,
        code: 'tool_changed',
        detail: 'Another admin has changed this tool since you opened it. Review the new values and save again.',
        instance: second.headers.get('x-request-id'),
        meta: { price: 8 },
      });
      const after = await edit(tool.id, { description: 'Mine.', was: { description: 'A tool.' } });
      expect(after.body).toMatchObject({ price: 8, description: 'Mine.' });
      await edit(tool.id, { onSale: false });
      const third = await edit(tool.id, { price: 8, was: { price: 7, onSale: true } });
      expect([third.status, third.body.meta]).toEqual([409, { onSale: 'false' }]);
    });

    it('records only the fields that differ, and stores a link to a picture in its complete form', async () => {
      const tool = await kit.createTool({ price: 7 });
      const { body } = await edit(tool.id, { price: 7, name: tool.name, img: 'pics.example/a.png', stockChange: 2 });
      expect(body).toMatchObject({ img: 'https://pics.example/a.png', availableQuantity: 102 });
      const detail = { img: 'https://pics.example/a.png', stockChange: 2 };
      expect(await readActs(tool.id)).toEqual([{ actor_id: admin.id, act: 'edit tool', detail }]);
    });
  });

  describe('A tool that is not for sale', () => {
    it('is shown to admins only, cannot be ordered, and keeps its earlier orders', async () => {
      const [customer, tool] = [await kit.createCustomer(), await kit.createTool()];
      const { body: order } = await kit.placeOrder(customer, { productName: tool.name, totalQuantity: 3 });
      expect((await edit(tool.id, { onSale: false })).body.onSale).toBe(false);
      const shownTools = (await kit.call<Tool[]>(null, 'GET', '/tool')).body;
      const allTools = (await kit.call<Tool[]>(admin, 'GET', '/tool/all')).body;
      const includesTool = (list: Tool[]) => list.some(({ _id }) => _id === tool.id);
      expect([includesTool(shownTools), includesTool(allTools)]).toEqual([false, true]);
      const refused = await kit.placeOrder(customer, { productName: tool.name, toolId: tool.id, totalQuantity: 3 });
      expect([refused.status, refused.body.code]).toEqual([409, 'tool_not_on_sale']);
      expect((await kit.call(customer, 'GET', `/order/${order._id}`)).body.status).toBe('unpaid');
      await edit(tool.id, { onSale: true });
      expect(includesTool((await kit.call<Tool[]>(null, 'GET', '/tool')).body)).toBe(true);
    });
  });

  describe('A change in stock', () => {
    it('is added to the available stock, and cannot remove pieces that orders have reserved', async () => {
      const [customer, tool] = [await kit.createCustomer(), await kit.createTool({ availableQuantity: 10 })];
      await kit.placeOrder(customer, { productName: tool.name, totalQuantity: 4 });
      expect((await edit(tool.id, { stockChange: 50 })).body.availableQuantity).toBe(56);
      expect((await edit(tool.id, { stockChange: -56 })).body.availableQuantity).toBe(0);
      const tooMuch = await edit(tool.id, { stockChange: -1 });
      expect([tooMuch.status, errorFields(tooMuch)]).toEqual([422, ['stockChange']]);
      expect((await readActs(tool.id)).map((act) => act['detail'])).toEqual([
        { stockChange: 50 },
        { stockChange: -56 },
      ]);
    });

    it('can fill the stock up to a million pieces and empty it, and the error beyond names the limit', async () => {
      const { id } = await kit.createTool({ availableQuantity: 1_200 });
      const errorsOf = async (stockChange: number) => (await edit(id, { stockChange })).body.errors;
      const removed = 'You can remove at most 1,200, because no more are in stock.';
      expect(await errorsOf(-1_201)).toEqual([{ field: 'stockChange', message: removed }]);
      expect((await edit(id, { stockChange: 998_800 })).body.availableQuantity).toBe(1_000_000);
      const added = 'The stock can be at most 1,000,000.';
      expect(await errorsOf(1)).toEqual([{ field: 'stockChange', message: added }]);
      expect((await edit(id, { stockChange: -1_000_000 })).body.availableQuantity).toBe(0);
    });

    it('with the same Idempotency-Key is applied once, even if it is sent twenty times simultaneously', async () => {
      const [tool, key] = [await kit.createTool({ availableQuantity: 10 }), randomUUID()];
      const responses = await Promise.all(Array.from({ length: 20 }, () => edit(tool.id, { stockChange: 5 }, { key })));
      expect(responses.map(({ status, body }) => [status, body.availableQuantity])).toEqual(Array(20).fill([200, 15]));
      expect((await edit(tool.id, { stockChange: 6 }, { key })).body.code).toBe('idempotency_key_reused');
      expect(await kit.readAvailable(tool.id)).toBe(15);
    });

    it('is the same request if only the order of its fields differs, and a different one for another tool', async () => {
      const [tool, other, key] = [await kit.createTool({ price: 7 }), await kit.createTool({ price: 7 }), randomUUID()];
      const bodies = [
        { description: 'b', price: 9, stockChange: 5 },
        { stockChange: 5, price: 9, description: 'b' },
        { price: 9, stockChange: 5, description: 'b' },
      ];
      const responses = [];
      for (const body of bodies) responses.push(await edit(tool.id, body, { key }));
      expect(responses.map(({ body }) => body.availableQuantity)).toEqual([105, 105, 105]);
      const { status, body } = await edit(other.id, bodies[0], { key });
      const detail =
        'This Idempotency-Key was already used for a different request. Send a new key with each new request.';
      expect([status, body.code, body.detail]).toEqual([422, 'idempotency_key_reused', detail]);
    });
  });
});
