import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { orders, tools } from '../../../server/db/schema';
import { openCardTestKit } from '../../support/cards';
import { openOrderTestKit, type OrderTestKit, sound } from '../../support/orders';

let desk: OrderTestKit;
beforeAll(async () => {
  desk = await openOrderTestKit();
});
afterAll(async () => {
  expect(await desk.audit()).toEqual(sound);
  await desk.close();
});

const rowOf = async (id: string) => (await desk.deps.db.select().from(orders).where(eq(orders.id, id)))[0]!;

describe('An order in range', () => {
  // Clauses A.3.3, A.7.6, C.2.6, C.3.1, C.3.8, C.6.1
  it('has the price, the name and the owner that the server knows, and takes the stock', async () => {
    const ann = await desk.customer();
    const tool = await desk.tool({ price: 12, availableQuantity: 50, minimumOrderQuantity: 5 });
    const draft = { productName: 'Something else', toolId: tool.id, totalQuantity: 20, client: 'Mallory', price: 12 };
    const { status, body } = await desk.order(ann, { ...draft, email: ann.email.toUpperCase() });
    expect(status).toBe(201);
    expect(body).toEqual({
      _id: expect.any(String),
      client: 'Ann',
      email: ann.email,
      price: 12,
      productName: tool.name,
      address: '1 Main',
      phone: '555',
      totalQuantity: 20,
      paid: false,
      toolId: tool.id,
    });
    expect(await desk.available(tool.id)).toBe(30);
    expect(await rowOf(body._id)).toMatchObject({ ownerId: ann.id, unitPrice: 12, state: 'unpaid', holdsStock: true });
    expect((await desk.call(null, 'GET', `/tool/${tool.id}`)).body).toMatchObject({ availableQuantity: 30 });
  });

  // Clause C.6.2
  it('finds its tool by a name that only one tool has', async () => {
    const ann = await desk.customer();
    const tool = await desk.tool();
    const { status, body } = await desk.order(ann, { productName: tool.name, totalQuantity: 1 });
    expect([status, body.toolId]).toEqual([201, tool.id]);
  });

  // Clause C.6.2
  it('refuses a name that two tools have, or none, or an unknown id, and keeps nothing', async () => {
    const ann = await desk.customer();
    const { name } = await desk.tool();
    await desk.tool({ name });
    const before = await desk.countRows();
    const answers = [
      await desk.order(ann, { productName: name, totalQuantity: 1 }),
      await desk.order(ann, { productName: 'No such tool', totalQuantity: 1 }),
      await desk.order(ann, { productName: name, toolId: randomUUID(), totalQuantity: 1 }),
      await desk.order(ann, { productName: name, toolId: 'what?', totalQuantity: 1 }),
    ];
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
      [422, 'ambiguous_tool'],
      [422, 'validation'],
      [404, 'not_found'],
      [404, 'not_found'],
    ]);
    expect(await desk.countRows()).toBe(before);
  });
});

describe('A quantity outside the range', () => {
  // Clauses A.5.6, C.3.1, C.6.10
  it.each([
    ['below the minimum', 4],
    ['above what is available', 51],
    ['far above', 1_000_000],
  ])('%s is recorded without a price and takes no stock', async (_where, totalQuantity) => {
    const ann = await desk.customer();
    const tool = await desk.tool({ availableQuantity: 50, minimumOrderQuantity: 5 });
    const { status, body } = await desk.order(ann, { productName: tool.name, totalQuantity });
    expect(status).toBe(201);
    expect(body).toMatchObject({ price: null, paid: false, totalQuantity });
    expect(await desk.available(tool.id)).toBe(50);
    expect(await rowOf(body._id)).toMatchObject({ state: 'unpriced', holdsStock: false, holdUntil: null });
  });

  it('a million pieces are recorded to the letter, and one more is refused', async () => {
    const ann = await desk.customer();
    const tool = await desk.tool({ price: 1, availableQuantity: 1_000_000, minimumOrderQuantity: 1 });
    const draft = { productName: tool.name, toolId: tool.id };
    const tooMany = await desk.order(ann, { ...draft, totalQuantity: 1_000_001 });
    const million = await desk.order(ann, { ...draft, totalQuantity: 1_000_000 });
    expect([tooMany.status, million.status, million.body.totalQuantity]).toEqual([422, 201, 1_000_000]);
    expect(await rowOf(million.body._id)).toMatchObject({ quantity: 1_000_000, state: 'unpriced' });
  });

  // Clause C.6.10
  it('a total above what can be charged is recorded without a price; one dollar less has one', async () => {
    const ann = await desk.customer();
    const tool = await desk.tool({ price: 333_333, availableQuantity: 10 });
    const most = await desk.order(ann, { productName: tool.name, totalQuantity: 3 });
    const more = await desk.order(ann, { productName: tool.name, totalQuantity: 4 });
    expect([most.body.price, more.body.price]).toEqual([333_333, null]);
  });

  // Clause C.3.2
  it.each([0, -5, 1.5, 1_000_001, 1e9, true, null, [7], '7', {}, '9007199254740993'])(
    '%j is no quantity: 422, and nothing is recorded',
    async (totalQuantity) => {
      const ann = await desk.customer();
      const tool = await desk.tool();
      const before = await desk.countRows();
      const { status, body } = await desk.order(ann, { productName: tool.name, totalQuantity });
      expect([status, body.code, body.errors?.map(({ field }) => field)]).toEqual([
        422,
        'validation',
        ['totalQuantity'],
      ]);
      expect(await desk.countRows()).toBe(before);
    },
  );
});

describe('What a customer may not say', () => {
  it.each(['paid', '_id', 'state', 'ownerId', 'holdsStock'])('the field %s is refused', async (field) => {
    const ann = await desk.customer();
    const tool = await desk.tool();
    const { status } = await desk.order(ann, { productName: tool.name, totalQuantity: 1, [field]: true });
    expect(status).toBe(422);
  });

  // Clauses C.4.5, C.6.3
  it('another price is told the price that holds, and nothing is recorded', async () => {
    const ann = await desk.customer();
    const tool = await desk.tool({ price: 120 });
    const before = await desk.countRows();
    const { status, body } = await desk.order(ann, { productName: tool.name, totalQuantity: 1, price: 1 });
    expect([status, body.code, body.meta]).toEqual([409, 'price_changed', { price: 120 }]);
    expect(await desk.countRows()).toBe(before);
    expect(await desk.available(tool.id)).toBe(100);
  });

  // Clause C.9.1
  it.each([-1, 0, 1.5, '7', 1e12])('%j is no price', async (price) => {
    const ann = await desk.customer();
    const tool = await desk.tool();
    expect((await desk.order(ann, { productName: tool.name, totalQuantity: 1, price })).status).toBe(422);
  });

  // Clauses C.2.6, C.2.7
  it("somebody else's email is refused", async () => {
    const [ann, bob, tool] = [await desk.customer(), await desk.customer(), await desk.tool()];
    const draft = { productName: tool.name, totalQuantity: 1, email: bob.email };
    const { status, body } = await desk.order(ann, draft);
    expect([status, body.code]).toEqual([403, 'email_mismatch']);
    expect((await desk.order(null, draft)).status).toBe(401);
  });
});

describe('Unpaid orders of one customer', () => {
  // Clause C.6.17
  it('the one past the cap is recorded without a price, until one is paid or deleted', async () => {
    const ann = await desk.customer();
    const tool = await desk.tool();
    const draft = { productName: tool.name, totalQuantity: 1 };
    const placed = [];
    for (let n = 0; n < 10; n++) placed.push(await desk.order(ann, draft));
    expect(placed.every(({ body }) => body.price === 7)).toBe(true);
    expect((await desk.order(ann, draft)).body.price).toBeNull();
    await desk.call(ann, 'DELETE', `/order/${placed[3]!.body._id}`);
    expect((await desk.order(ann, draft)).body.price).toBe(7);
    expect((await desk.order(ann, draft)).body.price).toBeNull();
    expect((await openCardTestKit(desk).pay(ann, placed[5]!.body._id, 7)).body.paid).toBe(true);
    expect((await desk.order(ann, draft)).body.price).toBe(7);
    expect((await desk.order(ann, draft)).body.price).toBeNull();
    expect(await desk.available(tool.id)).toBe(89);
  });
});

describe('An Idempotency-Key', () => {
  // Clauses C.3.9, C.6.16
  it('has the same answer for the same body, however its fields are ordered', async () => {
    const [ann, tool, key] = [await desk.customer(), await desk.tool(), randomUUID()];
    const first = await desk.order(ann, { productName: tool.name, totalQuantity: 2 }, key);
    const again = await desk.order(ann, { totalQuantity: 2, productName: tool.name }, key);
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(await desk.available(tool.id)).toBe(98);
  });

  // Clause C.3.9
  it('holds although the price and the stock are others by then', async () => {
    const [ann, tool, key] = [await desk.customer(), await desk.tool({ availableQuantity: 2 }), randomUUID()];
    const draft = { productName: tool.name, totalQuantity: 2, price: 7 };
    const first = await desk.order(ann, draft, key);
    await desk.deps.db.update(tools).set({ price: 9 }).where(eq(tools.id, tool.id));
    expect((await desk.order(ann, draft, key)).body).toEqual(first.body);
  });

  // Clause C.6.16
  it('with another body is refused', async () => {
    const [ann, tool, key] = [await desk.customer(), await desk.tool(), randomUUID()];
    await desk.order(ann, { productName: tool.name, totalQuantity: 2 }, key);
    const { status, body } = await desk.order(ann, { productName: tool.name, totalQuantity: 3 }, key);
    expect([status, body.code]).toEqual([422, 'idempotency_key_reused']);
    expect(await desk.available(tool.id)).toBe(98);
  });

  // Clause C.6.16
  it('of one customer is not that of another', async () => {
    const [ann, bob, tool, key] = [await desk.customer(), await desk.customer(), await desk.tool(), randomUUID()];
    const draft = { productName: tool.name, totalQuantity: 2 };
    const [one, two] = [await desk.order(ann, draft, key), await desk.order(bob, draft, key)];
    expect([two.status, two.body._id === one.body._id]).toEqual([201, false]);
  });

  it.each(['a b', 'ö', 'x'.repeat(256)])('%j is none', async (key) => {
    const [ann, tool] = [await desk.customer(), await desk.tool()];
    const draft = { productName: tool.name, totalQuantity: 2 };
    const sent = await desk.call(
      ann,
      'POST',
      '/order',
      { address: 'a', phone: 'p', ...draft },
      { 'idempotency-key': key },
    );
    expect(sent.status).toBe(422);
  });
});
