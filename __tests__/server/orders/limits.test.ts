import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { sweepOnce } from '../../../server/jobs/sweep';
import type { Customer } from '../../support/customers';
import { openOrderTestKit, type OrderTestKit } from '../../support/orders';
import { MINUTE_MS, openHoldTestKit, type HoldTestKit } from './holdTestKit';
import type { PlacedOrder } from '../../../src/contract/entities';
import { MAX_UNPRICED_ORDERS } from '../../../src/contract/limits';

describe('Limits of a customer', () => {
  let kit: HoldTestKit;
  beforeAll(async () => {
    kit = await openHoldTestKit();
  });
  beforeEach(() => kit.reset());
  afterAll(async () => {
    expect(await kit.countWrongStocks()).toBe(0);
    await kit.close();
  });

  describe('A customer with ten priced unpaid orders', () => {
    // Clause C.6.17
    it('gets a 409 for another order until one of the ten is paid or deleted, and nothing is stored', async () => {
      const [ann, tool] = [await kit.createCustomer(), await kit.createTool()];
      const placeOrder = (key?: string) => kit.placeOrder(ann, { productName: tool.name, totalQuantity: 1 }, key);
      const key = randomUUID();
      const placed = [await placeOrder(key)];
      for (let n = 1; n < 10; n++) placed.push(await placeOrder());
      expect(placed.every(({ body }) => body.price === 7)).toBe(true);
      const { status, body } = await placeOrder();
      const detail = 'You have 10 unpaid orders. Pay for or delete one in My Orders, then order again.';
      expect([status, body]).toMatchObject([409, { code: 'too_many_unpaid_orders', detail }]);
      expect([await kit.readAvailable(tool.id), (await placeOrder(key)).body]).toEqual([90, placed[0]!.body]);
      await kit.call(ann, 'DELETE', `/order/${placed[3]!.body._id}`);
      expect([(await placeOrder()).status, (await placeOrder()).status]).toEqual([201, 409]);
      expect((await kit.pay(ann, placed[5]!.body._id, 7)).body.paid).toBe(true);
      expect([(await placeOrder()).status, (await placeOrder()).status]).toEqual([201, 409]);
      expect(await kit.readAvailable(tool.id)).toBe(89);
    });

    it('can still place an order out of range', async () => {
      const [ann, tool] = [await kit.createCustomer(), await kit.createTool()];
      for (let n = 0; n < 10; n++) await kit.placeOrder(ann, { productName: tool.name, totalQuantity: 1 });
      const { status, body } = await kit.placeOrder(ann, { productName: tool.name, totalQuantity: 1_000 });
      expect([status, body.price]).toEqual([201, null]);
    });
  });

  describe('An order holds its stock for 15 minutes', () => {
    const holdMinutes = async (ann: Customer, tool: { name: string }, totalQuantity: number) =>
      (await kit.holdMinutesOf((await kit.placeOrder(ann, { productName: tool.name, totalQuantity })).body._id))[0];

    // Clause C.6.19
    it('if the customer then holds more than half of the stock that is available or held', async () => {
      const [ann, bob, tool] = [
        await kit.createCustomer(),
        await kit.createCustomer(),
        await kit.createTool({ minimumOrderQuantity: 10 }),
      ];
      expect([await holdMinutes(ann, tool, 30), await holdMinutes(ann, tool, 20)]).toEqual([120, 120]);
      expect([await holdMinutes(bob, tool, 35), await holdMinutes(ann, tool, 15)]).toEqual([120, 15]);
    });

    // Clause C.6.19
    it('but not if the stock is less than four minimum orders, or if the customer paid for the other half', async () => {
      const [ann, small, large] = [
        await kit.createCustomer(),
        await kit.createTool({ availableQuantity: 39, minimumOrderQuantity: 10 }),
        await kit.createTool({ minimumOrderQuantity: 10 }),
      ];
      expect(await holdMinutes(ann, small, 39)).toBe(120);
      const { body } = await kit.placeOrder(ann, { productName: large.name, totalQuantity: 60 });
      await kit.pay(ann, body._id, 420);
      expect([await holdMinutes(ann, large, 20), await holdMinutes(ann, large, 20)]).toEqual([120, 15]);
    });
  });

  describe('After two holds of a tool that ended unpaid within a day,', () => {
    const DAY_MINUTES = 24 * 60;

    /** The first hold ends at minute 121, and the second at minute 140. */
    async function letTwoHoldsEnd() {
      const first = await kit.placeUnpaidOrder();
      await kit.endHoldsAt(121);
      kit.setClock(122, first.ann);
      const second = await kit.placeUnpaidOrder(first.ann, first.tool);
      await kit.endHoldsAt(140);
      kit.setClock(141, first.ann);
      return { ...first, second };
    }

    // Clause C.6.20
    it('ordering it and paying for it are refused until the first of them is a day old, and nothing is stored', async () => {
      const { ann, tool, second, startPayment, readAvailable } = await letTwoHoldsEnd();
      const ordersBefore = await kit.countOrders();
      const from = (await kit.rowOf(second.id)).holdEndedAt!.getTime() - 19 * MINUTE_MS + DAY_MINUTES * MINUTE_MS;
      for (const { status, body } of [
        await kit.placeAgain(ann, tool),
        await startPayment(),
        await second.startPayment(),
      ]) {
        expect([status, (body as { code?: string }).code]).toEqual([409, 'hold_limit']);
        const { detail, meta } = body as unknown as { detail: string; meta: { until: string } };
        expect(Math.abs(new Date(meta.until).getTime() - from)).toBeLessThan(MINUTE_MS);
        expect(detail).toMatch(/again from \w+day, \w+ \d+ at \d+:\d\d [AP]M C[SD]T\. .*\+1 312 555 0142\.$/);
      }
      expect([await kit.countOrders(), await readAvailable()]).toEqual([ordersBefore, 100]);
      kit.setClock(121 + DAY_MINUTES - 1, ann);
      expect((await kit.placeAgain(ann, tool)).status).toBe(409);
      kit.setClock(121 + DAY_MINUTES + 1, ann);
      expect((await kit.placeAgain(ann, tool)).status).toBe(201);
    });

    // Clause C.6.20
    it('deleting the orders changes nothing, and neither does the sweep', async () => {
      const { ann, tool, id, second } = await letTwoHoldsEnd();
      for (const order of [id, second.id]) expect((await kit.call(ann, 'DELETE', `/order/${order}`)).status).toBe(204);
      await sweepOnce(kit.deps);
      expect((await kit.placeAgain(ann, tool)).status).toBe(409);
    });

    it('the customer can order another tool, and this tool out of range, and others can order it', async () => {
      const { ann, tool } = await letTwoHoldsEnd();
      const outOfRange = await kit.placeOrder(ann, { productName: tool.name, totalQuantity: 101 });
      const others = [
        await kit.placeAgain(ann, await kit.createTool()),
        await kit.placeAgain(await kit.createCustomer(), tool),
      ];
      expect([outOfRange, ...others].map(({ status, body }) => [status, body.price])).toEqual([
        [201, null],
        [201, 7],
        [201, 7],
      ]);
    });

    it('two holds of one order count as two, and a payment that succeeds is still recorded', async () => {
      const { ann, tool, id, startPayment } = await kit.placeUnpaidOrder();
      await kit.endHoldsAt(121);
      kit.setClock(122, ann);
      const { intentId, body } = await startPayment();
      await kit.deps.db.execute(sql`
      with o as (update orders set holds_stock = false, hold_until = null where id = ${id}),
        e as (insert into ended_holds (owner_id, tool_id, held_seconds, ended_at)
          values (${ann.id}, ${tool.id}, 900, ${kit.deps.now()}))
      update tools set available_quantity = available_quantity + 10 where id = ${tool.id}`);
      expect((await kit.placeAgain(ann, tool)).status).toBe(409);
      await kit.confirm(body.clientSecret);
      expect((await kit.patchOrder(ann, id, intentId)).body.paid).toBe(true);
    });

    it('an offered price whose hold ended does not count', async () => {
      const [ann, admin, tool] = [
        await kit.createCustomer(),
        await kit.createCustomer('admin'),
        await kit.createTool(),
      ];
      for (let n = 0; n < 2; n++) {
        const { body } = await kit.placeOrder(ann, { productName: tool.name, totalQuantity: 101 });
        await kit.deps.db.execute(sql`update orders set quantity = 10 where id = ${body._id}`);
        expect((await kit.call(admin, 'PUT', `/order/${body._id}/price`, { price: 7 })).status).toBe(200);
      }
      await kit.endHoldsAt(9_000);
      kit.setClock(9_001, ann);
      expect((await kit.placeAgain(ann, tool)).status).toBe(201);
    });
  });
});

describe('Unpriced orders', () => {
  let testKit: OrderTestKit;
  let tool: Awaited<ReturnType<OrderTestKit['createTool']>>;
  beforeAll(async () => {
    testKit = await openOrderTestKit();
    tool = await testKit.createTool({ minimumOrderQuantity: 2 });
  });
  afterAll(async () => {
    expect(await testKit.countWrongStocks()).toBe(0);
    await testKit.close();
  });

  const TOO_MANY = [409, 'too_many_unpriced_orders'];
  const placeOutOfRange = (customer: Customer, key?: string) =>
    testKit.placeOrder(customer, { productName: tool.name, totalQuantity: 1 }, key);
  const placeAtOnce = (customer: Customer, count: number) =>
    Promise.all(Array.from({ length: count }, () => placeOutOfRange(customer)));
  const countUnpriced = async ({ id }: Customer) => {
    const { rows } = await testKit.deps.db.execute<{ n: number }>(
      sql`select count(*)::int as n from orders where owner_id = ${id} and state = 'unpriced'`,
    );
    return rows[0]!.n;
  };
  const codeOf = ({ status, body }: Awaited<ReturnType<typeof placeOutOfRange>>) => [status, body.code];

  describe('A customer at the limit of unpriced orders', () => {
    // Clause C.6.21
    it('gets a 409 with an explanation for each further unpriced order until an unpriced order is deleted', async () => {
      const ann = await testKit.createCustomer();
      const key = randomUUID();
      const first = await placeOutOfRange(ann, key);
      for (let n = 1; n < MAX_UNPRICED_ORDERS; n += 1) expect((await placeOutOfRange(ann)).status).toBe(201);
      const refused = await placeOutOfRange(ann);
      expect(codeOf(refused)).toEqual(TOO_MANY);
      expect((refused.body as { detail?: string }).detail).toBe(
        "You have 100 orders that can't be paid. Delete one in My Orders, then order again.",
      );
      expect((await placeOutOfRange(ann, key)).body).toEqual(first.body);
      expect(await countUnpriced(ann)).toBe(100);

      await testKit.call(ann, 'DELETE', `/order/${first.body._id}`);
      expect([(await placeOutOfRange(ann)).status, ...codeOf(await placeOutOfRange(ann))]).toEqual([201, ...TOO_MANY]);
    });

    it('can still place priced orders, and does not affect other customers', async () => {
      const [ann, bob] = [await testKit.createCustomer(), await testKit.createCustomer()];
      await testKit.insertOrders(ann, MAX_UNPRICED_ORDERS);
      const priced = await testKit.placeOrder(ann, { productName: tool.name, totalQuantity: 2 });
      expect([priced.body.price, (await placeOutOfRange(bob)).status]).toEqual([7, 201]);
    });
  });

  // Clause C.6.21
  it('many simultaneous unpriced orders never exceed the limit', async () => {
    const ann = await testKit.createCustomer();
    const responses = await placeAtOnce(ann, 130);
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(100);
    expect(responses.filter(({ status }) => status !== 201).map(codeOf)).toEqual(Array(30).fill(TOO_MANY));
    expect(await countUnpriced(ann)).toBe(100);
  });

  it('the limit applies to a customer with more unpriced orders than it allows', async () => {
    const bob = await testKit.createCustomer();
    await testKit.insertOrders(bob, 5_000);
    expect(codeOf(await placeOutOfRange(bob))).toEqual(TOO_MANY);
  });

  it('an unpriced order that is sent twenty times simultaneously is placed once, and all responses are equal', async () => {
    const [ann, key] = [await testKit.createCustomer(), randomUUID()];
    const responses = await Promise.all(Array.from({ length: 20 }, () => placeOutOfRange(ann, key)));
    expect(new Set(responses.map(({ status, body }) => `${status} ${JSON.stringify(body)}`)).size).toBe(1);
    expect(await countUnpriced(ann)).toBe(1);
  });

  describe('The response to an unpriced order', () => {
    const unpricedReason = async (values: Parameters<OrderTestKit['createTool']>[0], totalQuantity: number) => {
      const [ann, { name }] = [await testKit.createCustomer(), await testKit.createTool(values)];
      const { body } = await testKit.placeOrder(ann, { productName: name, totalQuantity });
      expect(body.price).toBeNull();
      return (body as PlacedOrder).unpriced;
    };
    const stock = { availableQuantity: 640, minimumOrderQuantity: 20 };

    it.each([
      ['below the range', stock, 19, { reason: 'range', min: 20, max: 640 }],
      ['above the range', stock, 641, { reason: 'range', min: 20, max: 640 }],
      ['out of stock', { ...stock, availableQuantity: 19 }, 20, { reason: 'range', min: 20, max: 19 }],
      ['above the largest total', { ...stock, price: 20_000 }, 50, { reason: 'total', min: 20, max: 49 }],
      [
        'a minimum order above the largest total',
        { ...stock, price: 50_000 },
        5,
        { reason: 'total', min: 20, max: 19 },
      ],
    ])('names the reason why it has no price: %s', async (_case, values, quantity, expected) => {
      expect(await unpricedReason(values, quantity)).toEqual(expected);
    });

    // Clause C.6.14
    it('repeats the reason when the order is sent again, even if it could get a price by then', async () => {
      const [ann, key, scarceTool] = [
        await testKit.createCustomer(),
        randomUUID(),
        await testKit.createTool({ ...stock, availableQuantity: 5 }),
      ];
      const draft = { productName: scarceTool.name, totalQuantity: 20 };
      const first = await testKit.placeOrder(ann, draft, key);
      await testKit.deps.db.execute(
        sql`update tools set available_quantity = 640, stocked_quantity = 640 where id = ${scarceTool.id}`,
      );
      expect((await testKit.placeOrder(ann, draft, key)).body).toEqual(first.body);
      expect((first.body as PlacedOrder).unpriced).toEqual({ reason: 'range', min: 20, max: 5 });
    });
  });
});
