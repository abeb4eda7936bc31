import { eq, sql } from 'drizzle-orm';
import { tools } from '../../../server/db/schema';
import { endExpiredHolds } from '../../../server/payments/endHolds';
import type { PlacedOrder } from '../../../src/contract/entities';
import type { Customer } from '../../support/customers';
import { waitUntilBlocked } from '../../support/database';
import { openCardTestKit } from '../../support/cards';
import { openOrderTestKit, type OrderTestKit, sound } from '../../support/orders';

jest.setTimeout(120_000);

let desk: OrderTestKit;
let cards: ReturnType<typeof openCardTestKit>;
beforeAll(async () => {
  desk = await openOrderTestKit();
  cards = openCardTestKit(desk);
});
afterAll(async () => {
  expect(await desk.audit()).toEqual(sound);
  await desk.close();
});

const buy = (who: Customer, { name }: { name: string }, totalQuantity: number) =>
  desk.order(who, { productName: name, totalQuantity });
const pricesOf = async (who: Customer, tool: { name: string }, quantities: number[]) => {
  const prices: (number | null)[] = [];
  for (const quantity of quantities) prices.push((await buy(who, tool, quantity)).body.price);
  return prices;
};
const heldBy = async ({ id }: Customer) => {
  const { rows } = await desk.deps.db.execute<{ held: number }>(
    sql`select coalesce(sum(quantity), 0)::int as held from orders
        where owner_id = ${id} and state = 'unpaid' and holds_stock`,
  );
  return rows[0]!.held;
};
const shift = (id: string, by: string) =>
  desk.deps.db.execute(sql`update orders set hold_until = hold_until - ${by}::interval,
    hold_last_at = hold_last_at - ${by}::interval where id = ${id}`);

describe('One customer reserves at most half of the stock', () => {
  it('with one order', async () => {
    const tool = await desk.tool({ availableQuantity: 101 });
    expect(await pricesOf(await desk.customer(), tool, [51, 50])).toEqual([null, 7]);
  });

  // Clause C.6.19
  it('with several orders, while others can still order', async () => {
    const [ann, bob, tool] = [await desk.customer(), await desk.customer(), await desk.tool()];
    expect(await pricesOf(ann, tool, [30, 20, 1])).toEqual([7, 7, null]);
    expect(await pricesOf(bob, tool, [26, 25])).toEqual([null, 7]);
    expect(await desk.available(tool.id)).toBe(25);
  });

  it('so three customers with a few orders cannot sell it out', async () => {
    const tool = await desk.tool();
    for (const who of [await desk.customer(), await desk.customer(), await desk.customer()])
      for (let quantity = 64; quantity >= 1; quantity /= 2) await buy(who, tool, quantity);
    expect(await desk.available(tool.id)).toBeGreaterThanOrEqual(10);
    expect((await buy(await desk.customer(), tool, 5)).body.price).toBe(7);
  });

  it('but paid orders do not count', async () => {
    const [ann, tool] = [await desk.customer(), await desk.tool()];
    const { body } = await buy(ann, tool, 50);
    await cards.pay(ann, body._id, 350);
    expect(await pricesOf(ann, tool, [26, 25])).toEqual([null, 7]);
  });

  // Clause C.6.19
  it('unless the stock is less than four minimum orders, what they hold included', async () => {
    const tools = await Promise.all([19, 20].map((n) => desk.tool({ availableQuantity: n, minimumOrderQuantity: 5 })));
    const ann = await desk.customer();
    expect([await pricesOf(ann, tools[0]!, [10, 9]), await pricesOf(ann, tools[1]!, [5, 10, 5])]).toEqual([
      [7, 7],
      [7, null, 7],
    ]);
  });

  it('in a shop that has sold and restocked for years too', async () => {
    const [ann, tool] = [await desk.customer(), await desk.tool({ availableQuantity: 100 })];
    await desk.deps.db.execute(sql`
      with sold as (insert into orders (owner_id, email, client, tool_id, product_name, quantity, unit_price, address,
          phone, state, holds_stock)
        values (${ann.id}, ${ann.email}, 'Ann', ${tool.id}, 'x', 900000, 7, 'a', 'p', 'paid', true)),
      counted as (update order_counts set n = n + 1 where shard = 0)
      update tools set stocked_quantity = 900100 where id = ${tool.id}`);
    expect(await pricesOf(ann, tool, [30, 21, 20])).toEqual([7, null, 7]);
  });
});

describe('Orders of one customer at once', () => {
  /** All have read the stock before the first of them takes any. */
  async function atOnce(who: Customer, tool: { id: string; name: string }, quantities: number[]) {
    const sent = await desk.deps.db.transaction(async (tx) => {
      await tx.update(tools).set({ description: 'Changed.' }).where(eq(tools.id, tool.id));
      const orders = quantities.map((quantity) => buy(who, tool, quantity));
      await waitUntilBlocked(desk.deps, quantities.length);
      return { orders };
    });
    return Promise.all(sent.orders);
  }

  // Clause C.6.19
  it('never exceed the half', async () => {
    const [ann, tool] = [await desk.customer(), await desk.tool()];
    const answers = await atOnce(ann, tool, [30, 30]);
    const unpriced = answers
      .filter(({ body }) => body.price === null)
      .map(({ body }) => (body as PlacedOrder).unpriced);
    expect([unpriced, await heldBy(ann)]).toEqual([[{ reason: 'share', min: 1, max: 20 }], 30]);
  });

  it('never exceed it, in a crowd of small and large ones', async () => {
    const [ann, tool] = [await desk.customer(), await desk.tool()];
    const answers = await atOnce(ann, tool, [7, 11, 13, 17, 19, 23]);
    expect(answers.every(({ status }) => status === 201)).toBe(true);
    expect(await heldBy(ann)).toBeLessThanOrEqual(50);
    expect((await heldBy(ann)) + (await desk.available(tool.id))!).toBe(100);
  });
});

describe('Paying an order whose hold has ended', () => {
  async function ended(who: Customer, tool: { name: string }, quantity: number) {
    const { body } = await buy(who, tool, quantity);
    await shift(body._id, '3 hours');
    await endExpiredHolds(desk.deps);
    return body._id;
  }

  // Clause C.6.19
  it('takes no more than the half, and says what this customer can have', async () => {
    const [ann, tool] = [await desk.customer(), await desk.tool()];
    const old = await ended(ann, tool, 40);
    await buy(ann, tool, 20);
    const { status, body } = await cards.begin(ann, old, 280);
    expect([status, body]).toMatchObject([
      409,
      {
        code: 'out_of_stock',
        meta: { min: 1, available: 30 },
        detail: 'One customer can reserve at most half of the stock. You can order 1 to 30 instead.',
      },
    ]);
    expect([await desk.available(tool.id), await heldBy(ann)]).toEqual([80, 20]);
  });

  it('takes no more than the half for two of them at once', async () => {
    const [ann, tool] = [await desk.customer(), await desk.tool()];
    const ids = [await ended(ann, tool, 30), await ended(ann, tool, 30)];
    const answers = await Promise.all(ids.map((id) => cards.begin(ann, id, 210)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await heldBy(ann)).toBe(30);
  });

  it('counts money that has come, whatever the customer holds', async () => {
    const [ann, tool] = [await desk.customer(), await desk.tool()];
    const { body } = await buy(ann, tool, 40);
    const { intent, clientSecret } = await cards.begin(ann, body._id, 280);
    await desk.deps.db.execute(sql`
      with o as (update orders set holds_stock = false, hold_until = null where id = ${body._id})
      update tools set available_quantity = available_quantity + 40 where id = ${tool.id}`);
    await buy(ann, tool, 50);
    await cards.confirm(intent, clientSecret);
    expect((await cards.settle(ann, body._id, intent)).body.paid).toBe(true);
    expect(await desk.available(tool.id)).toBe(10);
  });
});
