import { eq, sql } from 'drizzle-orm';
import { tools } from '../../../server/db/schema';
import { endExpiredHolds } from '../../../server/payments/endHolds';
import type { Order, PlacedOrder } from '../../../src/contract/entities';
import { heldQuantity, reservableQuantity } from '../../../src/contract/stockShare';
import type { Customer } from '../../support/customers';
import { waitUntilBlocked } from '../../support/database';
import { openCardTestKit } from '../../support/cards';
import { openOrderTestKit, type OrderTestKit, NO_DISCREPANCIES } from '../../support/orders';

jest.setTimeout(120_000);

let testKit: OrderTestKit;
let cards: ReturnType<typeof openCardTestKit>;
beforeAll(async () => {
  testKit = await openOrderTestKit();
  cards = openCardTestKit(testKit);
});
afterAll(async () => {
  expect(await testKit.auditStock()).toEqual(NO_DISCREPANCIES);
  await testKit.close();
});

const buy = (customer: Customer, { name }: { name: string }, totalQuantity: number) =>
  testKit.placeOrder(customer, { productName: name, totalQuantity });
const pricesOf = async (customer: Customer, tool: { name: string }, quantities: number[]) => {
  const prices: (number | null)[] = [];
  for (const quantity of quantities) prices.push((await buy(customer, tool, quantity)).body.price);
  return prices;
};
const readHeldQuantity = async ({ id }: Customer) => {
  const { rows } = await testKit.deps.db.execute<{ held: number }>(
    sql`select coalesce(sum(quantity), 0)::int as held from orders
        where owner_id = ${id} and state = 'unpaid' and holds_stock`,
  );
  return rows[0]!.held;
};
const moveHoldBack = (id: string, by: string) =>
  testKit.deps.db.execute(sql`update orders set hold_until = hold_until - ${by}::interval,
    hold_last_at = hold_last_at - ${by}::interval where id = ${id}`);

describe("A customer's unpaid orders can reserve at most half of the stock", () => {
  it('with a single order', async () => {
    const tool = await testKit.createTool({ availableQuantity: 101 });
    expect(await pricesOf(await testKit.createCustomer(), tool, [51, 50])).toEqual([null, 7]);
  });

  // Clause C.6.19
  it('with several orders, while other customers can still order', async () => {
    const [ann, bob, tool] = [
      await testKit.createCustomer(),
      await testKit.createCustomer(),
      await testKit.createTool(),
    ];
    expect(await pricesOf(ann, tool, [30, 20, 1])).toEqual([7, 7, null]);
    expect(await pricesOf(bob, tool, [26, 25])).toEqual([null, 7]);
    expect(await testKit.readAvailable(tool.id)).toBe(25);
  });

  it('so that three customers together cannot reserve all of the stock', async () => {
    const tool = await testKit.createTool();
    for (const customer of [
      await testKit.createCustomer(),
      await testKit.createCustomer(),
      await testKit.createCustomer(),
    ])
      for (let quantity = 64; quantity >= 1; quantity /= 2) await buy(customer, tool, quantity);
    expect(await testKit.readAvailable(tool.id)).toBeGreaterThanOrEqual(10);
    expect((await buy(await testKit.createCustomer(), tool, 5)).body.price).toBe(7);
  });

  it("that is left after the customer's paid orders", async () => {
    const [ann, tool] = [await testKit.createCustomer(), await testKit.createTool()];
    const { body } = await buy(ann, tool, 50);
    await cards.pay(ann, body._id, 350);
    expect(await pricesOf(ann, tool, [26, 25])).toEqual([null, 7]);
  });

  // Clause C.6.19
  it('unless the stock, including what that customer has reserved, is less than four minimum orders', async () => {
    const tools = await Promise.all(
      [19, 20].map((n) => testKit.createTool({ availableQuantity: n, minimumOrderQuantity: 5 })),
    );
    const ann = await testKit.createCustomer();
    expect([await pricesOf(ann, tools[0]!, [10, 9]), await pricesOf(ann, tools[1]!, [5, 10, 5])]).toEqual([
      [7, 7],
      [7, null, 7],
    ]);
  });

  it('even after the shop has sold and restocked the tool for years', async () => {
    const [ann, tool] = [await testKit.createCustomer(), await testKit.createTool({ availableQuantity: 100 })];
    await testKit.deps.db.execute(sql`
      with sold as (insert into orders (owner_id, email, client, tool_id, product_name, quantity, unit_price, address,
          phone, state, holds_stock)
        values (${ann.id}, ${ann.email}, 'Ann', ${tool.id}, 'x', 900000, 7, 'a', 'p', 'paid', true)),
      counted as (update order_counts set n = n + 1 where shard = 0)
      update tools set stocked_quantity = 900100 where id = ${tool.id}`);
    expect(await pricesOf(ann, tool, [30, 21, 20])).toEqual([7, null, 7]);
  });
});

it.each([
  [3, 0],
  [39, 0],
  [40, 0],
  [101, 0],
  [101, 30],
])(
  'the largest quantity that the purchase page offers is the largest that gets a price: stock of %d, of which the customer holds %d',
  async (availableQuantity, held) => {
    const tool = await testKit.createTool({ availableQuantity, minimumOrderQuantity: 10 });
    const ann = await testKit.createCustomer();
    if (held > 0) expect(await pricesOf(ann, tool, [held])).toEqual([7]);
    const { body: orders } = await testKit.call<Order[]>(ann, 'GET', `/order?email=${ann.email}`);
    const remainingStock = { minimumOrderQuantity: 10, availableQuantity: availableQuantity - held };
    const reservable = reservableQuantity(remainingStock, heldQuantity(orders, tool.id, new Date()));
    const isOrderable = reservable >= 10;
    expect(await pricesOf(ann, tool, [reservable + 1, Math.max(reservable, 1)])).toEqual([
      null,
      isOrderable ? 7 : null,
    ]);
  },
);

/** Sends a request for each item, and lets all of them read the stock before the first takes any. */
async function sendAtOnce<Item, T>(tool: { id: string }, items: Item[], send: (item: Item) => Promise<T>) {
  const { responses } = await testKit.deps.db.transaction(async (tx) => {
    await tx.update(tools).set({ description: 'Changed.' }).where(eq(tools.id, tool.id));
    const sent = items.map(send);
    await waitUntilBlocked(testKit.deps, items.length);
    return { responses: sent };
  });
  return Promise.all(responses);
}

describe('Simultaneous orders of one customer', () => {
  const buyAtOnce = (customer: Customer, tool: { id: string; name: string }, quantities: number[]) =>
    sendAtOnce(tool, quantities, (quantity) => buy(customer, tool, quantity));

  // Clause C.6.19
  it('never reserve more than half of the stock', async () => {
    const [ann, tool] = [await testKit.createCustomer(), await testKit.createTool()];
    const responses = await buyAtOnce(ann, tool, [30, 30]);
    const unpriced = responses
      .filter(({ body }) => body.price === null)
      .map(({ body }) => (body as PlacedOrder).unpriced);
    expect([unpriced, await readHeldQuantity(ann)]).toEqual([[{ reason: 'share', min: 1, max: 20 }], 30]);
  });

  it('never reserve more than half of the stock, even if there are many small and large ones', async () => {
    const [ann, tool] = [await testKit.createCustomer(), await testKit.createTool()];
    const responses = await buyAtOnce(ann, tool, [7, 11, 13, 17, 19, 23]);
    expect(responses.every(({ status }) => status === 201)).toBe(true);
    expect(await readHeldQuantity(ann)).toBeLessThanOrEqual(50);
    expect((await readHeldQuantity(ann)) + (await testKit.readAvailable(tool.id))!).toBe(100);
  });
});

describe('Paying an order whose hold has ended', () => {
  async function placeWithEndedHold(customer: Customer, tool: { name: string }, quantity: number) {
    const { body } = await buy(customer, tool, quantity);
    await moveHoldBack(body._id, '3 hours');
    await endExpiredHolds(testKit.deps);
    return body._id;
  }

  // Clause C.6.19
  it('is refused if the unpaid orders of the customer would then hold more than half of the stock, and the error says how much the customer can order', async () => {
    const [ann, tool] = [await testKit.createCustomer(), await testKit.createTool()];
    const orderId = await placeWithEndedHold(ann, tool, 40);
    await buy(ann, tool, 20);
    const { status, body } = await cards.createIntent(ann, orderId, 280);
    expect([status, body]).toMatchObject([
      409,
      {
        code: 'out_of_stock',
        meta: { min: 1, available: 30 },
        detail: 'One customer can reserve at most half of the stock. You can order 1 to 30 instead.',
      },
    ]);
    expect([await testKit.readAvailable(tool.id), await readHeldQuantity(ann)]).toEqual([80, 20]);
  });

  it.each([
    [40, 'You can order 10 to 10 instead.'],
    [45, 'Pay for or delete another order of this tool, then try again.'],
  ])('is refused if other orders hold %i of 100 pieces, and the error says: %s', async (held, sentence) => {
    const [ann, tool] = [await testKit.createCustomer(), await testKit.createTool({ minimumOrderQuantity: 10 })];
    const orderId = await placeWithEndedHold(ann, tool, 40);
    await buy(ann, tool, held);
    const { body } = await cards.createIntent(ann, orderId, 280);
    expect(body).toMatchObject({
      code: 'out_of_stock',
      detail: `One customer can reserve at most half of the stock. ${sentence}`,
    });
  });

  it('reserves at most half of the stock for two orders that are paid simultaneously', async () => {
    const [ann, tool] = [await testKit.createCustomer(), await testKit.createTool()];
    const ids = [await placeWithEndedHold(ann, tool, 30), await placeWithEndedHold(ann, tool, 30)];
    const responses = await sendAtOnce(tool, ids, (id) => cards.createIntent(ann, id, 210));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await readHeldQuantity(ann)).toBe(30);
  });

  it('records a payment that has succeeded, even if the customer then has more than half of the stock', async () => {
    const [ann, tool] = [await testKit.createCustomer(), await testKit.createTool()];
    const { body } = await buy(ann, tool, 40);
    const { intent, clientSecret } = await cards.createIntent(ann, body._id, 280);
    await testKit.deps.db.execute(sql`
      with o as (update orders set holds_stock = false, hold_until = null where id = ${body._id})
      update tools set available_quantity = available_quantity + 40 where id = ${tool.id}`);
    await buy(ann, tool, 50);
    await cards.confirm(intent, clientSecret);
    expect((await cards.patchOrder(ann, body._id, intent)).body.paid).toBe(true);
    expect(await testKit.readAvailable(tool.id)).toBe(10);
  });
});
