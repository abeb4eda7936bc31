import { eq } from 'drizzle-orm';
import { orders, payments, refunds, shipments } from '../../../server/db/schema';
import type { Order, OrderCounts } from '../../../src/contract/entities';
import type { Customer } from '../../support/customers';
import { openOrderTestKit, type OrderTestKit } from '../../support/orders';
import { explainStatements, recordStatements } from './statements';
import { expectEventually } from '../../support/wait';
import { MAX_COUNTED_ORDERS, ORDERS_PER_PAGE } from '../../../src/contract/limits';

describe('Lists of orders', () => {
  const ORDER_COUNT = 2_500;
  let testKit: OrderTestKit;
  let ann: Customer, bob: Customer, admin: Customer;
  beforeAll(async () => {
    testKit = await openOrderTestKit();
    [ann, bob, admin] = [
      await testKit.createCustomer(),
      await testKit.createCustomer(),
      await testKit.createCustomer('admin'),
    ];
    await testKit.insertOrders(ann, ORDER_COUNT);
  });
  afterAll(() => testKit.close());

  const listOrders = (caller: Customer | null, query = '', headers = {}) =>
    testKit.call<Order[]>(caller, 'GET', `/order${query}`, undefined, headers);
  const emailQuery = ({ email }: Customer) => `?email=${encodeURIComponent(email)}`;

  // Clauses A.2.33, A.7.7, C.3.1, C.3.4, C.3.5
  it('a customer gets all their orders, newest first, with the total count', async () => {
    const { status, body, headers } = await listOrders(ann, emailQuery(ann));
    expect([status, body.length, headers.get('x-total-count')]).toEqual([200, ORDER_COUNT, String(ORDER_COUNT)]);
    expect(body.map(({ productName }) => Number(productName.slice(7)))).toEqual(
      Array.from({ length: ORDER_COUNT }, (_, n) => ORDER_COUNT - n),
    );
    const specifiedFields = [
      '_id',
      'address',
      'client',
      'email',
      'paid',
      'phone',
      'price',
      'productName',
      'totalQuantity',
    ];
    const moreFields = ['dispute', 'heldUntil', 'invoice', 'paidAt', 'placedAt', 'reference', 'status', 'toolId'];
    const customerFields = ['img', 'refundedCents', 'refundedPieces', 'refunds'];
    expect(Object.keys(body[0]!).sort()).toEqual([...specifiedFields, ...moreFields, ...customerFields].sort());
  });

  // Clauses A.6.2, C.2.5
  it("customers can read only their own orders, but admins can read anyone's orders", async () => {
    expect([(await listOrders(bob, emailQuery(ann))).status, (await listOrders(null, emailQuery(ann))).status]).toEqual(
      [403, 401],
    );
    expect((await listOrders(bob, emailQuery(bob))).body).toEqual([]);
    expect((await listOrders(admin, emailQuery(ann))).body).toHaveLength(ORDER_COUNT);
    const { id: toolId } = await testKit.createTool();
    const shown = await testKit.insertOrder(ann, toolId, { email: 'former@mail.example' });
    const former = await listOrders(admin, '?email=Former@mail.example');
    expect([former.body, former.headers.get('x-total-count')]).toEqual([
      [expect.objectContaining({ _id: shown.id })],
      '1',
    ]);
    await testKit.deps.db.delete(orders).where(eq(orders.id, shown.id));
    const unknown = await listOrders(admin, '?email=nobody@mail.example');
    expect([unknown.body, unknown.headers.get('x-total-count')]).toEqual([[], '0']);
  });

  // Clause C.3.6
  it('a request with Prefer: return=minimal gets the current count without the orders', async () => {
    const minimal = { prefer: 'return=minimal' };
    const first = await listOrders(admin, '', minimal);
    expect([first.body, first.headers.get('preference-applied')]).toEqual([[], 'return=minimal']);
    for (const [prefer, length] of Object.entries({
      ...{ 'wait=1, Return=Minimal': 0, 'wait=1,return=minimal': 0, 'return=minimal; a=b': 0 },
      ...{ 'noreturn=minimal': ORDER_COUNT, 'return=minimalist': ORDER_COUNT },
    }))
      expect([prefer, (await listOrders(ann, emailQuery(ann), { prefer })).body.length]).toEqual([prefer, length]);
    const tool = await testKit.createTool();
    const { body } = await testKit.placeOrder(bob, { productName: tool.name, totalQuantity: 1 });
    const readCount = async () => Number((await listOrders(admin, '', minimal)).headers.get('x-total-count'));
    await expectEventually(readCount, ORDER_COUNT + 1);
    await testKit.call(bob, 'DELETE', `/order/${body._id}`);
    await expectEventually(readCount, ORDER_COUNT);
    expect((await listOrders(ann, emailQuery(ann), minimal)).headers.get('x-total-count')).toBe(String(ORDER_COUNT));
  });

  // Clauses A.6.2, A.7.9, C.2.2, C.2.10
  it('an order can be read only by its owner and by admins', async () => {
    const { body } = await listOrders(ann, emailQuery(ann));
    const path = `/order/${body[0]!._id}`;
    const responses = await Promise.all([ann, admin, bob, null].map((caller) => testKit.call(caller, 'GET', path)));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 404, 401]);
    const { img: _, ...listed } = body[0]!;
    expect(responses[0]!.body).toEqual({ ...listed, shippingLog: [], refunds: [], refundedCents: 0 });
    for (const unknown of ['x', '00000000-0000-4000-8000-000000000000', '%27'])
      expect((await testKit.call(ann, 'GET', `/order/${unknown}`)).status).toBe(404);
  });

  it("a customer's orders have the current pictures of their tools, also of those that are not for sale", async () => {
    const img = '/images/tools/claw-hammer.webp';
    const { id } = await testKit.createTool({ img, onSale: false });
    const order = await testKit.insertOrder(ann, id);
    const { body } = await listOrders(ann, emailQuery(ann));
    expect([body[0]?._id, body[0]?.img]).toEqual([order.id, img]);
    const all = await listOrders(admin, '?limit=1');
    expect(all.body[0]).not.toHaveProperty('img');
    await testKit.deps.db.delete(orders).where(eq(orders.id, order.id));
  });

  it("listing a customer's orders uses the database index on the owner", async () => {
    const pool = testKit.deps.db.$client;
    const recorded = await recordStatements(pool, () => listOrders(bob, emailQuery(bob)));
    const lists = recorded.filter(({ text }) => /from "orders".* order by /s.test(text));
    expect(lists).toHaveLength(1);
    expect(await explainStatements(pool, lists)).toContain('orders_owner');
  });
});

describe('The limits of lists', () => {
  /** For each customer, one list request runs and twenty wait. */
  const MAX_LISTS = 21;
  const START = Date.now();
  let testKit: OrderTestKit;
  let ann: Customer;
  let limitedKit: OrderTestKit;
  let clockOffsetMs = 0;
  /** While this is set, every request for a list waits for it just before reading from the database. */
  let gate: Promise<void> | undefined;
  let readCount = 0;

  beforeAll(async () => {
    const checkpoint = async (step: string) => {
      if (step !== 'read list') return;
      readCount += 1;
      await gate;
    };
    testKit = await openOrderTestKit({ checkpoint });
    limitedKit = await openOrderTestKit({ env: { RATE_LIMIT: 'on' }, now: () => new Date(START + clockOffsetMs) });
  });
  afterAll(async () => {
    await testKit.close();
    await limitedKit.close();
  });
  beforeEach(async () => {
    ann = await testKit.createCustomer();
    [gate, readCount, clockOffsetMs] = [undefined, 0, 0];
  });

  const ordersPath = ({ email }: Customer) => `/order?email=${encodeURIComponent(email)}`;
  const ABORTED = { status: 0, retryAfter: null };
  type ListResponse = { status: number; retryAfter: string | null };

  async function readList(caller: Customer, path = ordersPath(caller), signal?: AbortSignal): Promise<ListResponse> {
    try {
      const response = await fetch(testKit.origin + path, {
        headers: { authorization: `Bearer ${caller.token}` },
        signal,
      });
      await response.arrayBuffer();
      return { status: response.status, retryAfter: response.headers.get('retry-after') };
    } catch (error) {
      if (signal?.aborted) return ABORTED;
      throw error;
    }
  }
  const repeat = <T>(count: number, start: (n: number) => T) => Array.from({ length: count }, (_, n) => start(n));

  /**
   * Makes all requests for lists wait just before they read from the database.
   * @returns a function that lets them continue
   */
  function pauseLists(): () => void {
    let releaseLists = () => {};
    gate = new Promise<void>((resolve) => (releaseLists = resolve));
    return releaseLists;
  }

  async function expectOthersRefused(lists: Promise<ListResponse>[], refusedCount: number) {
    const earlyResponses: ListResponse[] = [];
    for (const list of lists) void list.then((response) => earlyResponses.push(response));
    await expectEventually(async () => earlyResponses.length, refusedCount);
    expect(new Set(earlyResponses.map(({ status }) => status))).toEqual(new Set([429]));
    expect(Number(earlyResponses[0]!.retryAfter)).toBeGreaterThan(0);
    expect(readCount).toBe(1);
  }

  // Clause C.6.23
  it('only one list request per customer runs at a time, while others wait and those beyond the limit get a 429', async () => {
    const releaseLists = pauseLists();
    const lists = repeat(30, () => readList(ann));
    await expectOthersRefused(lists, 30 - MAX_LISTS);
    releaseLists();
    const responses = await Promise.all(lists);
    expect([responses.filter(({ status }) => status === 200).length, readCount]).toEqual([MAX_LISTS, MAX_LISTS]);
    expect((await readList(ann)).status).toBe(200);
  });

  const countConnections = () =>
    new Promise<number>((resolve) => testKit.app.server.getConnections((_error, count) => resolve(count)));

  it('an aborted list request no longer counts toward the limit, whether it was waiting or running', async () => {
    const releaseLists = pauseLists();
    const [runningRequest, ...waitingRequests] = repeat(30, () => new AbortController());
    const first = readList(ann, undefined, runningRequest!.signal);
    await expectEventually(async () => readCount, 1);
    const waiting = waitingRequests.map(({ signal }) => readList(ann, undefined, signal));
    await expectOthersRefused(waiting, 30 - MAX_LISTS);
    const openCount = await countConnections();
    for (const controller of waitingRequests) controller.abort();
    await Promise.all(waiting);
    await expectEventually(async () => (await countConnections()) <= openCount - MAX_LISTS + 1, true);
    gate = undefined;
    const next = readList(ann);
    runningRequest!.abort();
    expect((await next).status).toBe(200);
    expect(readCount).toBe(2);
    releaseLists();
    await first;
  });

  // Clause C.6.23
  it('a customer can send sixty list requests and sixty delete requests a minute, and then gets a 429 with Retry-After', async () => {
    const [carl, dora] = [await limitedKit.createCustomer(), await limitedKit.createCustomer()];
    const readAndDelete = (caller: Customer) => [
      limitedKit.call(caller, 'GET', ordersPath(caller)),
      limitedKit.call(caller, 'DELETE', '/order/00000000-0000-4000-8000-000000000000'),
    ];
    for (let n = 0; n < 60; n += 1)
      expect((await Promise.all(readAndDelete(carl))).map(({ status }) => status)).toEqual([200, 404]);
    for (const { status, body, headers } of await Promise.all(readAndDelete(carl))) {
      expect([status, body.code]).toEqual([429, 'rate_limited']);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect((await Promise.all(readAndDelete(dora))).map(({ status }) => status)).toEqual([200, 404]);
    clockOffsetMs = 61_000;
    expect((await Promise.all(readAndDelete(carl))).map(({ status }) => status)).toEqual([200, 404]);
  });

  it('an admin who scrolls can read more than sixty pages of orders a minute, but only sixty complete lists', async () => {
    const limitedAdmin = await limitedKit.createCustomer('admin');
    const read = (path: string) => limitedKit.call(limitedAdmin, 'GET', path);
    for (let n = 0; n < 60; n += 1) expect((await read(ordersPath(limitedAdmin))).status).toBe(200);
    expect((await read(`${ordersPath(limitedAdmin)}&limit=1`)).status).toBe(429);
    for (const path of ['/order?limit=1', '/order?status=paid', '/order?q=saw', '/order?after=1'])
      expect([path, (await read(path)).status]).toEqual([path, 200]);
  });
});

describe('Pages of orders', () => {
  const TIME = new Date('2026-05-04T10:20:30.400Z');
  let testKit: OrderTestKit;
  let ann: Customer, admin: Customer;
  let toolId: string;
  const COUNT = MAX_COUNTED_ORDERS + 1;
  beforeAll(async () => {
    testKit = await openOrderTestKit();
    [ann, admin] = [await testKit.createCustomer(), await testKit.createCustomer('admin')];
    toolId = (await testKit.createTool()).id;
    await testKit.insertOrders(ann, COUNT);
  });
  afterAll(() => testKit.close());

  const PAID = { state: 'paid', holdsStock: true, unitPrice: 7, createdAt: TIME } as const;
  const insertOrder = (values: Partial<typeof orders.$inferInsert> = {}) =>
    testKit.insertOrder(ann, toolId, { ...PAID, ...values });
  async function insertPayment(orderId: string, values: Partial<typeof payments.$inferInsert> = {}) {
    const intentId = `pi_${orderId.replaceAll('-', '')}`;
    const row = { intentId, orderId, amountCents: 3_500, currency: 'usd', createdAt: TIME, ...values };
    await testKit.deps.db.insert(payments).values(row);
    return intentId;
  }

  const readPage = (query: string, caller = admin) => testKit.call<Order[]>(caller, 'GET', `/order?${query}`);
  const namesOf = ({ body }: Awaited<ReturnType<typeof readPage>>) =>
    body.map(({ productName }) => Number(productName.split(' ')[1]));
  const nextOf = ({ headers }: { headers: Headers }) => {
    const link = headers.get('link');
    if (link === null) return null;
    return { link: link.replace(/after=\d+/, 'after=N'), query: /\?(.*)>/.exec(link)![1]! };
  };

  describe('A page of orders', () => {
    it('contains the newest fifty, or as many as requested, with a link to the next page', async () => {
      const first = await readPage('status=unpriced');
      expect(namesOf(first)).toEqual(Array.from({ length: ORDERS_PER_PAGE }, (_, n) => COUNT - n));
      expect(nextOf(first)!.link).toBe('</order?status=unpriced&after=N>; rel="next"');
      expect(namesOf(await readPage(nextOf(first)!.query))[0]).toBe(COUNT - ORDERS_PER_PAGE);
      expect((await readPage('limit=100')).body).toHaveLength(100);
      const three = await readPage('limit=3');
      expect([namesOf(three), nextOf(three)!.link]).toEqual([
        [COUNT, COUNT - 1, COUNT - 2],
        '</order?limit=3&after=N>; rel="next"',
      ]);
      expect(namesOf(await readPage(nextOf(three)!.query))).toEqual([COUNT - 3, COUNT - 4, COUNT - 5]);
      expect(['x-total-count', 'content-type'].map((name) => three.headers.get(name))).toEqual([
        ...[String(COUNT), 'application/json; charset=utf-8'],
      ]);
      expect(three.headers.get('vary')).toContain('Accept, Prefer');
    });

    it('has no link to a next page if it is the last one, even if it is full', async () => {
      for (const n of [1, 2, 3, 1, 2, 3])
        await insertOrder({ state: 'unpriced', unitPrice: null, holdsStock: false, productName: `Rasp ${n}` });
      const last = await readPage('q=rasp&limit=6');
      expect([namesOf(last), nextOf(last)]).toEqual([[3, 2, 1, 3, 2, 1], null]);
      const page = await readPage('q=rasp&limit=5');
      expect([namesOf(page), nextOf(page)!.link]).toEqual([
        [3, 2, 1, 3, 2],
        '</order?q=rasp&limit=5&after=N>; rel="next"',
      ]);
      const rest = await readPage(nextOf(page)!.query);
      expect([namesOf(rest), nextOf(rest)]).toEqual([[1], null]);
    });

    it('is only for admins: a customer who sends these parameters with their own email gets all their own orders', async () => {
      const bob = await testKit.createCustomer();
      expect((await readPage('limit=2', bob)).status).toBe(403);
      expect((await readPage(`email=${bob.email}&limit=2&status=paid`, bob)).body).toEqual([]);
      expect((await readPage(`email=${ann.email}&limit=2`, ann)).body.length).toBeGreaterThanOrEqual(COUNT);
    });

    it('contains the payment, shipment, refund and dispute of each order, as its own page does', async () => {
      const [failed, open, refunded, disputed] = [
        await insertOrder({ productName: 'Bradawl', refundFailed: true }),
        await insertOrder({ productName: 'Bradawl', shippedAt: TIME, dispute: 'won' }),
        await insertOrder({
          ...{ productName: 'Bradawl', state: 'refunded', refundedAt: TIME, holdsStock: false, dispute: 'lost' },
        }),
        await insertOrder({ productName: 'Bradawl', dispute: 'open' }),
      ];
      await insertPayment(failed.id, { cardBrand: 'visa', cardLast4: '4242' });
      const [openIntent, refundedIntent] = [await insertPayment(open.id), await insertPayment(refunded.id)];
      await insertPayment(disputed.id, { cardBrand: 'visa' });
      const refund = { amountCents: 3_500, currency: 'usd', reason: 'not needed', requestedBy: admin.id, pieces: 5 };
      await testKit.deps.db.insert(refunds).values([
        { ...refund, paymentId: openIntent, orderId: open.id, state: 'pending' },
        { ...refund, paymentId: refundedIntent, orderId: refunded.id, state: 'succeeded' },
      ]);
      await testKit.deps.db
        .insert(shipments)
        .values({ orderId: open.id, carrier: 'UPS', tracking: '1Z', link: null, note: 'Gate', createdAt: TIME });
      const time = TIME.toISOString();
      const common = {
        ...{ client: 'Ann Lee', email: ann.email, price: 7, productName: 'Bradawl', address: '18 Foundry Row' },
        ...{ phone: '555', reference: '', totalQuantity: 5, toolId, placedAt: time, paidAt: time, heldUntil: null },
        ...{ transactionId: expect.stringMatching(/^pi_/), dispute: null, paid: true, status: 'paid', shippingLog: [] },
        ...{ refunds: [], refundedCents: 0, refundedPieces: 0, invoice: null },
      };
      const expected = [
        { ...common, _id: disputed.id, dispute: 'open' },
        {
          ...{ ...common, _id: refunded.id, dispute: 'lost', paid: false, status: 'refunded' },
          ...{ refundedAt: time, refundReason: 'not needed', refundedCents: 3_500, refundedPieces: 5 },
          refunds: [{ at: expect.any(String) as string, pieces: 5, cents: 3_500, number: null, reason: 'not needed' }],
        },
        {
          ...{ ...common, _id: open.id, dispute: 'won', status: 'shipped' },
          ...{ refundRequested: true, refundingCents: 3_500, refundReason: 'not needed' },
          shippingLog: [{ at: time, carrier: 'UPS', tracking: '1Z', link: null, note: 'Gate' }],
        },
        { ...common, _id: failed.id, refundFailed: true, card: { brand: 'visa', last4: '4242' } },
      ];
      expect((await readPage('q=bradawl')).body).toEqual(expected);
      for (const [i, { _id: id }] of expected.entries())
        expect((await testKit.call(admin, 'GET', `/order/${id}`)).body).toEqual(expected[i]);
      const { refundReason: _, ...refundedOrder } = expected[1] as Order;
      const { reason: __, ...refundForCustomer } = refundedOrder.refunds![0]!;
      const forCustomer = { ...refundedOrder, refunds: [refundForCustomer] };
      expect((await testKit.call(ann, 'GET', `/order/${refunded.id}`)).body).toEqual(forCustomer);
    });
  });

  it('the counts of each status leave out deleted orders, and stop at a thousand', async () => {
    const readCounts = async () => (await testKit.call<OrderCounts>(admin, 'GET', '/order/counts')).body;
    const before = await readCounts();
    expect(before.unpriced).toBe(MAX_COUNTED_ORDERS);
    const held = { state: 'unpaid', holdUntil: TIME } as const;
    await insertOrder(held);
    for (let n = 0; n < 2; n++) await insertOrder({ shippedAt: TIME });
    for (let n = 0; n < 3; n++) await insertOrder();
    for (let n = 0; n < 4; n++) await insertOrder({ state: 'refunded', refundedAt: TIME, holdsStock: false });
    await insertOrder({ state: 'deleted', deletedAt: TIME, holdsStock: false });
    const { unpaid, shipped, paid, refunded } = before;
    expect(await readCounts()).toEqual({
      ...{ unpriced: MAX_COUNTED_ORDERS, unpaid: unpaid + 1, shipped: shipped + 2, paid: paid + 3 },
      refunded: refunded + 4,
    });
  });
});
