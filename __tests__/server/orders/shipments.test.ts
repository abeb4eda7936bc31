import { sql } from 'drizzle-orm';
import type { Order } from '../../../src/contract/entities';
import type { Customer } from '../../support/customers';
import { openPaymentTestKit, type PaymentTestKit } from '../../support/payments';

const SHIPMENT = {
  carrier: 'UPS',
  tracking: '1Z999',
  link: 'https://track.example/1Z999',
  note: 'Left at the gate.',
};
const NOT_PAID = [409, 'order_not_paid'];
let testKit: PaymentTestKit;
let admin: Customer;
beforeAll(async () => {
  testKit = await openPaymentTestKit();
  admin = await testKit.createCustomer('admin');
});
afterAll(() => testKit.close());

const ship = (order: string, shipment: object = SHIPMENT, caller = admin) =>
  testKit.call(caller, 'POST', `/order/${order}/shipment`, shipment);
const codeOf = ({ status, body }: Awaited<ReturnType<typeof ship>>) => [status, body.code];
const readRows = async (table: string, order: string, column = 'order_id') =>
  (
    await testKit.deps.db.execute(
      sql`select * from ${sql.identifier(table)} where ${sql.identifier(column)} = ${order}`,
    )
  ).rows;
const updateOrder = (order: string, change: ReturnType<typeof sql>) =>
  testKit.deps.db.execute(sql`update orders set ${change} where id = ${order}`);

async function placeUnpaid() {
  const [customer, tool] = [await testKit.createCustomer(), await testKit.createTool()];
  const { body } = await testKit.placeOrder(customer, { productName: tool.name, totalQuantity: 2 });
  return { customer, id: body._id };
}

async function placePaid() {
  const { customer, id } = await placeUnpaid();
  expect((await testKit.pay(customer, id, 14)).status).toBe(200);
  return { customer, id };
}

describe('A shipment', () => {
  it('marks a paid order as shipped, writes an audit record and queues an email', async () => {
    const { customer, id } = await placePaid();
    const { status, body } = await ship(id);
    expect(status).toBe(201);
    expect(body).toMatchObject({ status: 'shipped', paid: true });
    expect(body.shippingLog).toEqual([{ at: expect.any(String), ...SHIPMENT }]);
    expect((await testKit.call(customer, 'GET', `/order/${id}`)).body).toEqual(body);
    expect(await readRows('admin_acts', id, 'subject')).toMatchObject([
      { actor_id: admin.id, act: 'ship order', detail: SHIPMENT },
    ]);
    expect((await readRows('mails', id)).map(({ kind }) => kind)).toContain('shipped');
  });

  it('that is sent again changes nothing, even twenty times simultaneously', async () => {
    const { id } = await placePaid();
    const responses = await Promise.all(Array.from({ length: 20 }, () => ship(id)));
    expect(new Set(responses.map(({ status, body }) => `${status} ${JSON.stringify(body)}`)).size).toBe(1);
    expect([(await ship(id)).status, (await ship(id, { ...SHIPMENT, carrier: 'UPS ' })).status]).toEqual([201, 201]);
    const [acts, mails] = [await readRows('admin_acts', id, 'subject'), await readRows('mails', id)];
    expect([acts.length, mails.filter(({ kind }) => kind === 'shipped').length]).toEqual([1, 1]);
  });

  it.each(['carrier', 'tracking', 'link', 'note'])(
    'with a different %s is rejected after the order has been shipped',
    async (field) => {
      const { id } = await placePaid();
      const { body } = await ship(id);
      const refused = await ship(id, { ...SHIPMENT, [field]: 'https://other.example/' });
      expect([...codeOf(refused), refused.body.detail]).toEqual([...NOT_PAID, 'This order is already shipped.']);
      expect((await testKit.call<Order>(admin, 'GET', `/order/${id}`)).body).toEqual(body);
    },
  );

  it.each([
    ['unpaid', "This order isn't paid.", sql`slot = null`],
    [
      'unpriced',
      "This order isn't paid.",
      sql`state = 'unpriced', unit_price = null, holds_stock = false, hold_until = null`,
    ],
    [
      'refunded',
      "This order can't ship: its payment was refunded.",
      sql`state = 'refunded', refunded_at = now(), slot = null, holds_stock = false, hold_until = null`,
    ],
  ])('of an order that is %s is refused: %s', async (_status, reason, change) => {
    const { id } = await placeUnpaid();
    await updateOrder(id, change);
    const refused = await ship(id);
    expect([...codeOf(refused), refused.body.detail]).toEqual([...NOT_PAID, reason]);
    expect(await readRows('shipments', id)).toEqual([]);
  });

  it('of a deleted or unknown order answers 404', async () => {
    const { customer, id } = await placeUnpaid();
    await testKit.call(customer, 'DELETE', `/order/${id}`);
    const unknown = ['00000000-0000-4000-8000-000000000000', 'x', '%27', '🔨'];
    for (const order of [id, ...unknown.map(encodeURI)]) expect(codeOf(await ship(order))).toEqual([404, 'not_found']);
  });

  it.each(['open', 'lost'])('is refused while a dispute is %s, unless the admin ships despite it', async (dispute) => {
    const { id } = await placePaid();
    await updateOrder(id, sql`dispute = ${dispute}`);
    expect(codeOf(await ship(id))).toEqual([409, 'order_disputed']);
    expect(codeOf(await ship(id, { ...SHIPMENT, despiteDispute: false }))).toEqual([409, 'order_disputed']);
    const { body } = await ship(id, { ...SHIPMENT, despiteDispute: true });
    expect(body).toMatchObject({ status: 'shipped', dispute });
    expect(await readRows('admin_acts', id, 'subject')).toMatchObject([{ detail: { despiteDispute: true } }]);
  });
});

describe('A corrected shipment', () => {
  const correct = (order: string, shipment: object, caller = admin, headers = {}) =>
    testKit.call(caller, 'PUT', `/order/${order}/shipment`, shipment, headers);

  it('that is sent again with its Idempotency-Key does not undo a later correction', async () => {
    const { id } = await placePaid();
    await ship(id);
    const key = { 'idempotency-key': id };
    await correct(id, { ...SHIPMENT, tracking: 'first' }, admin, key);
    await correct(id, { ...SHIPMENT, tracking: 'second' });
    expect((await correct(id, { ...SHIPMENT, tracking: 'first' }, admin, key)).status).toBe(200);
    expect(await readRows('shipments', id)).toMatchObject([{ tracking: 'second' }]);
  });
  const CORRECTED = { carrier: 'FedEx', tracking: '4444', link: null, note: null };

  it('replaces the earlier one, writes an audit record and queues one more email, once if it is repeated', async () => {
    const { customer, id } = await placePaid();
    await ship(id);
    const draft = { carrier: ' FedEx', tracking: '4444 ' };
    const responses = await Promise.all([correct(id, draft), correct(id, draft)]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    const { body } = await testKit.call(customer, 'GET', `/order/${id}`);
    expect(body.shippingLog).toEqual([{ at: expect.any(String), ...CORRECTED }]);
    const acts = (await readRows('admin_acts', id, 'subject')).map(({ act }) => act);
    expect(acts.sort()).toEqual(['correct shipment', 'ship order']);
    await correct(id, SHIPMENT);
    const about = (await readRows('mails', id)).filter(({ kind }) => kind === 'shipped').map((mail) => mail['about']);
    expect(about.sort()).toEqual([id, `${id}.1`, `${id}.2`]);
  });

  it('is refused if the order has not shipped, does not exist, or the shipment is incomplete', async () => {
    const { id } = await placePaid();
    const refused = await correct(id, SHIPMENT);
    expect([...codeOf(refused), refused.body.detail]).toEqual([...NOT_PAID, "This order hasn't shipped yet."]);
    expect((await correct('nothing', SHIPMENT)).status).toBe(404);
    await ship(id);
    expect((await correct(id, { ...SHIPMENT, tracking: ' ' })).status).toBe(422);
    expect((await readRows('mails', id)).filter(({ kind }) => kind === 'shipped')).toHaveLength(1);
  });
});
