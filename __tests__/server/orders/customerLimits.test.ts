import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { sweepOnce } from '../../../server/jobs/sweep';
import type { Customer } from '../../support/customers';
import { NO_DISCREPANCIES } from '../../support/orders';
import { MINUTE_MS, openHoldTestKit, type HoldTestKit } from './holdTestKit';

let kit: HoldTestKit;
beforeAll(async () => {
  kit = await openHoldTestKit();
});
beforeEach(() => kit.reset());
afterAll(async () => {
  expect(await kit.auditStock()).toEqual(NO_DISCREPANCIES);
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
    expect((await kit.cards.pay(ann, placed[5]!.body._id, 7)).body.paid).toBe(true);
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
    await kit.cards.pay(ann, body._id, 420);
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
    const { intent, clientSecret } = await startPayment();
    await kit.deps.db.execute(sql`
      with o as (update orders set holds_stock = false, hold_until = null where id = ${id}),
        e as (insert into ended_holds (owner_id, tool_id, held_seconds, ended_at)
          values (${ann.id}, ${tool.id}, 900, ${kit.deps.now()}))
      update tools set available_quantity = available_quantity + 10 where id = ${tool.id}`);
    expect((await kit.placeAgain(ann, tool)).status).toBe(409);
    await kit.cards.confirm(intent, clientSecret);
    expect((await kit.cards.patchOrder(ann, id, intent)).body.paid).toBe(true);
  });

  it('an offered price whose hold ended does not count', async () => {
    const [ann, admin, tool] = [await kit.createCustomer(), await kit.createCustomer('admin'), await kit.createTool()];
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
