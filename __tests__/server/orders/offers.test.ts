import { sql } from 'drizzle-orm';
import type { Customer } from '../../support/customers';
import { openPaymentTestKit, type PaymentTestKit } from '../../support/payments';

const HOUR_MS = 3_600_000;
let testKit: PaymentTestKit;
let admin: Customer;
let now = new Date();
beforeAll(async () => {
  testKit = await openPaymentTestKit({
    env: { OFFER_HOURS: '48' },
    now: () => now,
  });
  admin = await testKit.createCustomer('admin');
});
afterEach(() => {
  now = new Date();
});
afterAll(async () => {
  expect(await testKit.countWrongStocks()).toBe(0);
  await testKit.close();
});

const offer = (order: string, price: unknown, was?: number | null) =>
  testKit.call(admin, 'PUT', `/order/${order}/price`, { price, was });
const codeOf = ({ status, body }: Awaited<ReturnType<typeof offer>>) => [status, body.code];

/** Orders less than the minimum, because the server stores such an order without a price. */
async function placeUnpriced(quantity = 5, stock = 100) {
  const [customer, tool] = [
    await testKit.createCustomer(),
    await testKit.createTool({ minimumOrderQuantity: 90, availableQuantity: stock }),
  ];
  const { body } = await testKit.placeOrder(customer, { productName: tool.name, totalQuantity: quantity });
  expect(body.status).toBe('unpriced');
  return { customer, tool, id: body._id };
}

describe('An offered price', () => {
  it('reserves the stock, and the customer can pay for the order', async () => {
    const { customer, tool, id } = await placeUnpriced();
    const { status, body } = await offer(id, 11);
    expect(status).toBe(200);
    expect(body).toMatchObject({ _id: id, status: 'unpaid', price: 11, paid: false });
    expect(await testKit.readAvailable(tool.id)).toBe(95);
    expect((await testKit.call(null, 'GET', `/tool/${tool.id}`)).body).toMatchObject({ availableQuantity: 95 });
    const paid = await testKit.pay(customer, id, 55);
    expect([paid.status, paid.body.status, paid.body.price]).toEqual([200, 'paid', 11]);
    expect(await testKit.readAvailable(tool.id)).toBe(95);
  });

  it('is recorded in the audit log and queues an email to the customer', async () => {
    const { id } = await placeUnpriced();
    await offer(id, 11);
    const acts = await testKit.deps.db.execute(sql`select actor_id, act, detail from admin_acts where subject = ${id}`);
    expect(acts.rows).toEqual([{ actor_id: admin.id, act: 'offer price', detail: { price: 11 } }]);
    const mails = await testKit.deps.db.execute(sql`select kind from mails where order_id = ${id} order by id`);
    expect(mails.rows.map(({ kind }) => kind)).toEqual(['order received', 'price offered']);
  });

  it('reserves the stock for OFFER_HOURS', async () => {
    const { id } = await placeUnpriced();
    const { body } = await offer(id, 11);
    expect(body.heldUntil).toBe(new Date(now.getTime() + 48 * HOUR_MS).toISOString());
  });

  it('can still be paid after the hold has ended if there is enough stock', async () => {
    const { customer, tool, id } = await placeUnpriced(2);
    await offer(id, 11);
    await testKit.deps.db.execute(sql`
      with ended as (update orders set holds_stock = false, hold_until = null where id = ${id})
      update tools set available_quantity = available_quantity + 2 where id = ${tool.id}`);
    expect((await testKit.pay(customer, id, 22)).body.status).toBe('paid');
    expect(await testKit.readAvailable(tool.id)).toBe(98);
  });

  it('can be higher or lower than the price of the tool, and is allowed for a tool that is not for sale', async () => {
    for (const price of [1, 199_999]) expect((await offer((await placeUnpriced()).id, price)).status).toBe(200);
    const { tool, id } = await placeUnpriced();
    await testKit.call(admin, 'PATCH', `/tool/${tool.id}`, { onSale: false });
    expect((await offer(id, 11)).status).toBe(200);
  });

  it('does not count toward the limit of unpaid orders per customer', async () => {
    const { customer, tool, id } = await placeUnpriced();
    await offer(id, 11);
    await testKit.deps.db.execute(sql`update tools set minimum_order_quantity = 1 where id = ${tool.id}`);
    const statuses = [];
    for (let n = 0; n < 11; n++)
      statuses.push((await testKit.placeOrder(customer, { productName: tool.name, totalQuantity: 1 })).status);
    expect(statuses).toEqual([...Array<number>(10).fill(201), 409]);
  });
});

describe('PUT /order/{id}/price', () => {
  it('answers 409 out_of_stock if there is too little stock, and changes nothing', async () => {
    const { tool, id } = await placeUnpriced(30, 29);
    const refused = await offer(id, 11);
    expect(codeOf(refused)).toEqual([409, 'out_of_stock']);
    expect(refused.body).toMatchObject({ meta: { min: 90, available: 29 }, detail: 'This tool is out of stock.' });
    expect((await testKit.call(admin, 'GET', `/order/${id}`)).body).toMatchObject({ status: 'unpriced', price: null });
    expect(await testKit.readAvailable(tool.id)).toBe(29);
    await testKit.call(admin, 'PATCH', `/tool/${tool.id}`, { stockChange: 1 });
    expect((await offer(id, 11)).status).toBe(200);
    expect(await testKit.readAvailable(tool.id)).toBe(0);
  });

  it('answers 409 order_priced for an order at the price of the tool, and order_paid once it is paid', async () => {
    const [customer, tool] = [await testKit.createCustomer(), await testKit.createTool()];
    const { body } = await testKit.placeOrder(customer, { productName: tool.name, totalQuantity: 10 });
    const refused = await offer(body._id, 12);
    expect([...codeOf(refused), refused.body.detail]).toEqual([
      ...[409, 'order_priced', 'This order already has a price.'],
    ]);
    await testKit.pay(customer, body._id, 70);
    expect(codeOf(await offer(body._id, 12))).toEqual([409, 'order_paid']);
  });

  it('answers 422 for a price whose total is too large for one payment, and names the largest possible price', async () => {
    const { id } = await placeUnpriced(5);
    const { status, body } = await offer(id, 200_000);
    expect([status, body.errors]).toEqual([
      422,
      [{ field: 'price', message: "Enter at most 199,999: one payment can't be more than $999,999." }],
    ]);
    const { id: large } = await placeUnpriced(600_000, 10);
    expect((await offer(large, 2)).body.errors).toEqual([
      { field: 'price', message: "Enter at most 1: one payment can't be more than $999,999." },
    ]);
    const { id: largest } = await placeUnpriced(3);
    expect((await offer(largest, 333_334)).status).toBe(422);
    expect((await offer(largest, 333_333)).status).toBe(200);
    const { id: huge } = await placeUnpriced(1_000_000, 10);
    expect((await offer(huge, 1)).body.errors).toEqual([
      { field: 'price', message: 'This order is too large for one payment.' },
    ]);
  });

  it('answers 404 for an order that the customer has deleted', async () => {
    const { customer, id } = await placeUnpriced();
    await testKit.call(customer, 'DELETE', `/order/${id}`);
    expect(codeOf(await offer(id, 11))).toEqual([404, 'not_found']);
  });
});

describe('Offered prices', () => {
  it('reserve the stock of an order once, even for twenty simultaneous offers', async () => {
    const { tool, id } = await placeUnpriced();
    const responses = await Promise.all(Array.from({ length: 20 }, (_, n) => offer(id, 10 + n, null)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(19).fill(409)]);
    expect(await testKit.readAvailable(tool.id)).toBe(95);
  });

  it('can be given to twenty orders simultaneously, but only until the last pieces are reserved', async () => {
    const { tool, id } = await placeUnpriced(5, 50);
    const { customer } = await placeUnpriced();
    const placed = [id];
    for (let n = 1; n < 20; n++)
      placed.push((await testKit.placeOrder(customer, { productName: tool.name, totalQuantity: 5 })).body._id);
    const responses = await Promise.all(placed.map((order) => offer(order, 3)));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(10);
    expect(new Set(responses.map(({ body }) => body.code))).toEqual(new Set([undefined, 'out_of_stock']));
    expect(await testKit.readAvailable(tool.id)).toBe(0);
  });

  it('leave no stock reserved if the customer deletes the order while the offer is being stored', async () => {
    for (let round = 0; round < 10; round++) {
      const { customer, tool, id } = await placeUnpriced();
      const [offered, deleted] = await Promise.all([offer(id, 11), testKit.call(customer, 'DELETE', `/order/${id}`)]);
      expect([200, 404]).toContain(offered.status);
      expect(deleted.status).toBe(204);
      expect(await testKit.readAvailable(tool.id)).toBe(100);
    }
  });
});
