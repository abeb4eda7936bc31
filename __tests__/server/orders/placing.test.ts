import { randomUUID } from 'node:crypto';
import { eq, count } from 'drizzle-orm';
import { orders, tools } from '../../../server/db/schema';
import { hashOfBody } from '../../../server/http/idempotencyKeys';
import { openOrderTestKit, type OrderTestKit } from '../../support/orders';
import { openPaymentTestKit, type PaymentTestKit } from '../../support/payments';
import { type Customer, bearer, newCustomer } from '../../support/customers';
import { waitUntilBlocked } from '../../support/database';
import type { Tool } from '../../../src/contract/entities';
import { startShop } from '../../support/shop';

describe('Placing orders', () => {
  let testKit: OrderTestKit;
  beforeAll(async () => {
    testKit = await openOrderTestKit();
  });
  afterAll(async () => {
    expect(await testKit.countWrongStocks()).toBe(0);
    await testKit.close();
  });

  const rowOf = async (id: string) => (await testKit.deps.db.select().from(orders).where(eq(orders.id, id)))[0]!;

  describe('An order with a quantity within the range', () => {
    // Clauses A.3.3, A.7.6, C.2.6, C.3.1, C.3.8, C.6.1
    it('gets the names and the owner from the server instead of the request, and reserves the stock', async () => {
      const ann = await testKit.createCustomer();
      const tool = await testKit.createTool({ price: 12, availableQuantity: 50, minimumOrderQuantity: 5 });
      const draft = {
        productName: 'Something else',
        toolId: tool.id,
        totalQuantity: 20,
        client: 'Mallory',
        price: 12,
        reference: 'PO 4711',
      };
      const { status, body } = await testKit.placeOrder(ann, { ...draft, email: ann.email.toUpperCase() });
      expect(status).toBe(201);
      expect(body).toEqual({
        _id: expect.any(String),
        client: 'Ann',
        email: ann.email,
        price: 12,
        productName: tool.name,
        address: '1 Main',
        phone: '555 0100',
        reference: 'PO 4711',
        totalQuantity: 20,
        toolId: tool.id,
        placedAt: expect.stringMatching(/^\d{4}-.*Z$/),
        heldUntil: expect.stringMatching(/^\d{4}-.*Z$/),
        ...{ status: 'unpaid', paid: false, paidAt: null, invoice: null, dispute: null },
      });
      const { body: read } = await testKit.call(ann, 'GET', `/order/${body._id}`);
      expect(read).toEqual({ ...body, shippingLog: [], refunds: [], refundedCents: 0, refundedPieces: 0 });
      expect(await testKit.readAvailable(tool.id)).toBe(30);
      expect(await rowOf(body._id)).toMatchObject({
        ownerId: ann.id,
        unitPrice: 12,
        state: 'unpaid',
        holdsStock: true,
      });
      expect((await testKit.call(null, 'GET', `/tool/${tool.id}`)).body).toMatchObject({ availableQuantity: 30 });
    });

    // Clause C.6.2
    it('can name its tool by a unique name instead of an id', async () => {
      const [ann, tool] = [await testKit.createCustomer(), await testKit.createTool()];
      const { status, body } = await testKit.placeOrder(ann, { productName: tool.name, totalQuantity: 1 });
      expect([status, body.toolId]).toEqual([201, tool.id]);
    });

    // Clause C.6.2
    it('means the tool that is for sale if another tool of its name is no longer sold', async () => {
      const [ann, { name }] = [await testKit.createCustomer(), await testKit.createTool({ onSale: false })];
      const sold = await testKit.createTool({ name });
      const { status, body } = await testKit.placeOrder(ann, { productName: name, totalQuantity: 1 });
      expect([status, body.toolId]).toEqual([201, sold.id]);
    });

    // Clause C.6.2
    it('is refused and not stored if its tool has an ambiguous name, an unknown name or an unknown id', async () => {
      const ann = await testKit.createCustomer();
      const { name } = await testKit.createTool();
      await testKit.createTool({ name });
      const before = await testKit.countOrders();
      const responses = [
        await testKit.placeOrder(ann, { productName: name, totalQuantity: 1 }),
        await testKit.placeOrder(ann, { productName: 'No such tool', totalQuantity: 1 }),
        await testKit.placeOrder(ann, { productName: name, toolId: randomUUID(), totalQuantity: 1 }),
        await testKit.placeOrder(ann, { productName: name, toolId: 'what?', totalQuantity: 1 }),
      ];
      const unknownName = { field: 'productName', message: 'is not the name of a tool.' };
      expect(responses.map(({ status, body }) => [status, body.code, body.detail, body.errors])).toEqual([
        [422, 'ambiguous_tool', 'Several tools have this name. Send the toolId of the one you want.', undefined],
        [422, 'validation', 'No tool has this name.', [unknownName]],
        [404, 'not_found', expect.any(String), undefined],
        [404, 'not_found', expect.any(String), undefined],
      ]);
      expect(await testKit.countOrders()).toBe(before);
    });

    it('is refused if a carrier could not call its phone number, but an earlier one with such a number can be read', async () => {
      const [ann, tool] = [await testKit.createCustomer(), await testKit.createTool()];
      const before = await testKit.countOrders();
      const draft = { productName: tool.name, totalQuantity: 1, phone: '(555) 014' };
      const { status, body } = await testKit.placeOrder(ann, draft);
      const message = 'Enter a phone number with at least 7 digits, so that the carrier can call you.';
      expect([status, body.errors]).toEqual([422, [{ field: 'phone', message }]]);
      expect(await testKit.countOrders()).toBe(before);
      const earlier = await testKit.insertOrder(ann, tool.id, { phone: '555' });
      expect((await testKit.call(ann, 'GET', `/order/${earlier.id}`)).body).toMatchObject({ phone: '555' });
    });
  });

  describe('An order with a quantity outside the range', () => {
    // Clauses A.5.6, C.3.1, C.6.10
    it.each([
      ['below the minimum', 4],
      ['above what is available', 51],
      ['far above', 1_000_000],
    ])('is stored without a price and reserves no stock: %s', async (_case, totalQuantity) => {
      const ann = await testKit.createCustomer();
      const tool = await testKit.createTool({ availableQuantity: 50, minimumOrderQuantity: 5 });
      const { status, body } = await testKit.placeOrder(ann, { productName: tool.name, totalQuantity });
      expect(status).toBe(201);
      expect(body).toMatchObject({ price: null, paid: false, totalQuantity });
      expect(await testKit.readAvailable(tool.id)).toBe(50);
      expect(await rowOf(body._id)).toMatchObject({ state: 'unpriced', holdsStock: false, holdUntil: null });
    });

    // Clause C.6.10
    it('begins right above the last piece: one customer can order all of the stock', async () => {
      const tool = await testKit.createTool({ availableQuantity: 640, minimumOrderQuantity: 20 });
      const prices = [];
      for (const totalQuantity of [641, 321, 299, 20])
        prices.push(
          (await testKit.placeOrder(await testKit.createCustomer(), { productName: tool.name, totalQuantity })).body
            .price,
        );
      expect(prices).toEqual([null, 7, 7, 7]);
      expect(await testKit.readAvailable(tool.id)).toBe(0);
    });

    // Clause C.6.10
    it('is stored without a price if its total exceeds the largest amount that can be charged', async () => {
      const ann = await testKit.createCustomer();
      const tool = await testKit.createTool({ price: 333_333, availableQuantity: 10 });
      const largest = await testKit.placeOrder(ann, { productName: tool.name, totalQuantity: 3 });
      const tooLarge = await testKit.placeOrder(ann, { productName: tool.name, totalQuantity: 4 });
      expect([largest.body.price, tooLarge.body.price]).toEqual([333_333, null]);
    });

    // Clause C.3.2
    it.each([0, -5, 1.5, 1_000_001, 1e9, true, null, [7], '7', {}, '9007199254740993'])(
      'gets a 422 and is not stored if no order could have this quantity: %j',
      async (totalQuantity) => {
        const ann = await testKit.createCustomer();
        const tool = await testKit.createTool();
        const before = await testKit.countOrders();
        const { status, body } = await testKit.placeOrder(ann, { productName: tool.name, totalQuantity });
        expect([status, body.code, body.errors?.map(({ field }) => field)]).toEqual([
          422,
          'validation',
          ['totalQuantity'],
        ]);
        expect(await testKit.countOrders()).toBe(before);
      },
    );
  });

  describe('The body of an order', () => {
    it.each(['paid', '_id', 'state', 'ownerId', 'holdsStock'])('cannot contain the field %s', async (field) => {
      const ann = await testKit.createCustomer();
      const tool = await testKit.createTool();
      const { status } = await testKit.placeOrder(ann, { productName: tool.name, totalQuantity: 1, [field]: true });
      expect(status).toBe(422);
    });

    // Clauses C.4.5, C.6.3
    it('that contains an outdated price gets a 409 with the current price, and nothing is stored', async () => {
      const ann = await testKit.createCustomer();
      const tool = await testKit.createTool({ price: 1_200 });
      const before = await testKit.countOrders();
      const { status, body } = await testKit.placeOrder(ann, { productName: tool.name, totalQuantity: 1, price: 1 });
      const detail = 'The price is now $1,200 each. Review your order before you place it.';
      expect([status, body]).toMatchObject([409, { code: 'price_changed', meta: { price: 1_200 }, detail }]);
      expect(await testKit.countOrders()).toBe(before);
      expect(await testKit.readAvailable(tool.id)).toBe(100);
    });

    // Clauses C.2.6, C.2.7
    it("cannot contain another user's email", async () => {
      const [ann, bob, tool] = [
        await testKit.createCustomer(),
        await testKit.createCustomer(),
        await testKit.createTool(),
      ];
      const draft = { productName: tool.name, totalQuantity: 1, email: bob.email };
      const { status, body } = await testKit.placeOrder(ann, draft);
      expect([status, body.code]).toEqual([403, 'email_mismatch']);
      expect((await testKit.placeOrder(null, draft)).status).toBe(401);
    });
  });

  describe('An Idempotency-Key', () => {
    // Clauses C.3.9, C.6.16
    it('returns the first response again for the same body, with its fields in any order', async () => {
      const [ann, tool, key] = [await testKit.createCustomer(), await testKit.createTool(), randomUUID()];
      const first = await testKit.placeOrder(ann, { productName: tool.name, totalQuantity: 2 }, key);
      const retry = await testKit.placeOrder(ann, { totalQuantity: 2, productName: tool.name }, key);
      expect([retry.status, retry.body]).toEqual([201, first.body]);
      expect(await testKit.readAvailable(tool.id)).toBe(98);
    });

    // Clause C.3.9
    it('belongs to the same body also if the fields inside of a field are in another order', () => {
      const [one, same, other] = ['{"a":{"b":1,"c":[2,3]}}', '{"a":{"c":[2,3],"b":1}}', '{"a":{"b":1,"c":[3,2]}}'];
      const hashOf = (text: string) => hashOfBody(JSON.parse(text) as object);
      expect([hashOf(same!) === hashOf(one!), hashOf(other!) === hashOf(one!)]).toEqual([true, false]);
    });

    it('returns the first response again even after price and stock have changed', async () => {
      const [ann, tool, key] = [
        await testKit.createCustomer(),
        await testKit.createTool({ availableQuantity: 2 }),
        randomUUID(),
      ];
      const draft = { productName: tool.name, totalQuantity: 2, price: 7 };
      const first = await testKit.placeOrder(ann, draft, key);
      await testKit.deps.db.update(tools).set({ price: 9 }).where(eq(tools.id, tool.id));
      expect((await testKit.placeOrder(ann, draft, key)).body).toEqual(first.body);
    });

    // Clause C.6.16
    it('is rejected when it is reused with a different body', async () => {
      const [ann, tool, key] = [await testKit.createCustomer(), await testKit.createTool(), randomUUID()];
      await testKit.placeOrder(ann, { productName: tool.name, totalQuantity: 2 }, key);
      const { status, body } = await testKit.placeOrder(ann, { productName: tool.name, totalQuantity: 3 }, key);
      expect([status, body.code]).toEqual([422, 'idempotency_key_reused']);
      expect(await testKit.readAvailable(tool.id)).toBe(98);
    });

    // Clause C.6.16
    it('of one customer does not affect another customer', async () => {
      const [ann, bob, tool, key] = [
        await testKit.createCustomer(),
        await testKit.createCustomer(),
        await testKit.createTool(),
        randomUUID(),
      ];
      const draft = { productName: tool.name, totalQuantity: 2 };
      const [annsOrder, bobsOrder] = [
        await testKit.placeOrder(ann, draft, key),
        await testKit.placeOrder(bob, draft, key),
      ];
      expect([bobsOrder.status, bobsOrder.body._id === annsOrder.body._id]).toEqual([201, false]);
    });

    it.each(['a b', 'ö', 'x'.repeat(256)])('cannot have the value %j', async (key) => {
      const [ann, tool] = [await testKit.createCustomer(), await testKit.createTool()];
      const draft = { productName: tool.name, totalQuantity: 2 };
      const response = await testKit.call(
        ann,
        'POST',
        '/order',
        { address: 'a', phone: '555 0100', ...draft },
        { 'idempotency-key': key },
      );
      expect(response.status).toBe(422);
    });
  });
});

describe('Placing orders at the same time', () => {
  let testKit: PaymentTestKit;
  beforeAll(async () => {
    testKit = await openPaymentTestKit();
  });
  afterAll(async () => {
    expect(await testKit.countWrongStocks()).toBe(0);
    await testKit.close();
  });

  const CONCURRENCY = 50;

  /** Runs fifty jobs at a time, which are five for each connection to the database. */
  async function runConcurrently<T>(jobs: (() => Promise<T>)[]): Promise<T[]> {
    const results: T[] = [];
    const queue = [...jobs];
    const worker = async () => {
      for (let job = queue.shift(); job; job = queue.shift()) results.push(await job());
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, worker));
    return results;
  }

  const repeat = <T>(n: number, start: () => Promise<T>) => Promise.all(Array.from({ length: n }, start));

  // Clauses C.6.4, C.6.6
  it('a thousand orders for one piece each, fifty at a time, get exactly the hundred pieces in stock', async () => {
    const tool = await testKit.createTool({ availableQuantity: 100 });
    const buyers = await repeat(100, () => testKit.createCustomer());
    const draft = { productName: tool.name, totalQuantity: 1 };
    const responses = await runConcurrently(
      Array.from({ length: 1000 }, (_, n) => () => testKit.placeOrder(buyers[n % 100]!, draft)),
    );
    expect(responses.every(({ status }) => status === 201)).toBe(true);
    expect(responses.filter(({ body }) => body.price !== null)).toHaveLength(100);
    expect(await testKit.readAvailable(tool.id)).toBe(0);
  });

  // Clause C.6.4
  it('if two orders compete for the last pieces, the second one is stored without a price', async () => {
    const [ann, bob] = [await testKit.createCustomer(), await testKit.createCustomer()];
    const tool = await testKit.createTool({ availableQuantity: 5, minimumOrderQuantity: 2 });
    const draft = { productName: tool.name, totalQuantity: 5 };
    testKit.runBefore('place order', () => testKit.placeOrder(bob, draft));
    const { body } = await testKit.placeOrder(ann, draft);
    expect(testKit.haveAllCheckpointsRun()).toBe(true);
    expect([body.price, await testKit.readAvailable(tool.id)]).toEqual([null, 0]);
  });

  type PlaceOrder = () => ReturnType<OrderTestKit['placeOrder']>;
  /**
   * Places an order while a transaction changes the tool. The transaction ends once the order waits for the tool's row.
   * The order has then read outdated values.
   */
  async function placeDuringChange(
    toolId: string,
    change: { price?: number; availableQuantity?: number },
    placeOrder: PlaceOrder,
  ) {
    let order: ReturnType<PlaceOrder> | undefined;
    await testKit.deps.db.transaction(async (tx) => {
      await tx.update(tools).set(change).where(eq(tools.id, toolId));
      order = placeOrder();
      await waitUntilBlocked(testKit.deps);
    });
    return order!;
  }

  // Clause C.6.1
  it('placing an order answers 409 if the price changes while the order waits for the stock', async () => {
    const [ann, tool] = [await testKit.createCustomer(), await testKit.createTool({ price: 7 })];
    const { status, body } = await placeDuringChange(tool.id, { price: 9 }, () =>
      testKit.placeOrder(ann, { productName: tool.name, totalQuantity: 1, price: 7 }),
    );
    expect([status, body.meta]).toEqual([409, { price: 9 }]);
  });

  // Clause C.6.1
  it('an order that names no price gets the price that the tool has when the stock is reserved', async () => {
    const [ann, tool] = [await testKit.createCustomer(), await testKit.createTool({ price: 7 })];
    const { body } = await placeDuringChange(tool.id, { price: 9 }, () =>
      testKit.placeOrder(ann, { productName: tool.name, totalQuantity: 1 }),
    );
    expect(body.price).toBe(9);
  });

  // Clause C.6.17
  it('a customer who sends thirty orders simultaneously, of two tools, gets ten priced orders', async () => {
    const [ann, ...two] = [await testKit.createCustomer(), await testKit.createTool(), await testKit.createTool()];
    const draftOf = (n: number) => ({ productName: two[n % 2]!.name, totalQuantity: 1 });
    const responses = await Promise.all(Array.from({ length: 30 }, (_, n) => testKit.placeOrder(ann, draftOf(n))));
    const placed = responses.filter(({ status }) => status === 201);
    expect([placed.length, placed.every(({ body }) => body.price === 7)]).toEqual([10, true]);
    expect(new Set(responses.filter(({ status }) => status !== 201).map(({ body }) => body.code))).toEqual(
      new Set(['too_many_unpaid_orders']),
    );
  });

  // Clause C.6.15
  it('an order that is sent fifty times simultaneously is placed once, and all fifty responses are equal', async () => {
    const [ann, tool, key] = [await testKit.createCustomer(), await testKit.createTool(), randomUUID()];
    const before = await testKit.countOrders();
    const responses = await repeat(50, () =>
      testKit.placeOrder(ann, { productName: tool.name, totalQuantity: 3 }, key),
    );
    expect(new Set(responses.map(({ status, body }) => `${status} ${JSON.stringify(body)}`)).size).toBe(1);
    expect(responses[0]!.status).toBe(201);
    expect([await testKit.countOrders(), await testKit.readAvailable(tool.id)]).toEqual([before! + 1, 97]);
  });
});

describe('Orders of the demo', () => {
  let shop: Awaited<ReturnType<typeof startShop>>;
  beforeAll(async () => void (shop = await startShop({ env: { DEMO: 'on' } })));
  afterAll(() => shop.close());

  const send = (method: string, path: string, customer: Customer, body: object) =>
    fetch(shop.origin + path, {
      method,
      headers: { 'content-type': 'application/json', ...bearer(customer) },
      body: JSON.stringify(body),
    });

  async function placeOrder(customer: Customer) {
    const [tool] = (await (await fetch(`${shop.origin}/tool`)).json()) as Tool[];
    const { _id: toolId, name: productName, minimumOrderQuantity: totalQuantity } = tool!;
    return send('POST', '/order', customer, { toolId, productName, totalQuantity, address: 'a', phone: '555 0100' });
  }

  // Clause C.17.3
  test('a new demo has tools and no orders', async () => {
    expect((await (await fetch(`${shop.origin}/tool`)).json()) as Tool[]).not.toEqual([]);
    expect(await shop.deps.db.select({ count: count() }).from(orders)).toEqual([{ count: 0 }]);
  });

  // Clause C.2.15
  test('an admin of the demo can place an order', async () => {
    const admin = await newCustomer(shop, { role: 'admin' });
    const response = await placeOrder(admin);
    expect(response.status).toBe(201);
    expect(await response.json()).toMatchObject({ email: admin.email, paid: false });
  });
});
