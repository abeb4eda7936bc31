import { payments, refunds, shipments } from '../../../server/db/schema';
import type { Order, OrderCounts } from '../../../src/contract/entities';
import { MAX_COUNTED_ORDERS, ORDERS_PER_PAGE } from '../../../src/contract/limits';
import type { Customer } from '../../support/customers';
import { openOrderTestKit, type OrderTestKit, type OrderValues } from '../../support/orders';

const TIME = new Date('2026-05-04T10:20:30.400Z');
let testKit: OrderTestKit;
let ann: Customer, admin: Customer;
let toolId: string;
beforeAll(async () => {
  testKit = await openOrderTestKit();
  [ann, admin] = [await testKit.createCustomer(), await testKit.createCustomer('admin')];
  toolId = (await testKit.createTool()).id;
});
afterAll(() => testKit.close());

const PAID = { state: 'paid', holdsStock: true, unitPrice: 7, createdAt: TIME } as const;
const insertOrder = (values: OrderValues = {}) => testKit.insertOrder(ann, toolId, { ...PAID, ...values });
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
  const COUNT = MAX_COUNTED_ORDERS + 1;
  beforeAll(() => testKit.insertOrders(ann, COUNT));

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
    const refund = { amountCents: 3_500, currency: 'usd', reason: 'not needed' };
    await testKit.deps.db.insert(refunds).values([
      { ...refund, intentId: openIntent, orderId: open.id, state: 'pending' },
      { ...refund, intentId: refundedIntent, orderId: refunded.id, state: 'succeeded' },
    ]);
    await testKit.deps.db
      .insert(shipments)
      .values({ orderId: open.id, carrier: 'UPS', tracking: '1Z', link: null, note: 'Gate', createdAt: TIME });
    const time = TIME.toISOString();
    const common = {
      ...{ client: 'Ann Lee', email: ann.email, price: 7, productName: 'Bradawl', address: '18 Foundry Row' },
      ...{ phone: '555', totalQuantity: 5, toolId, placedAt: time, paidAt: time, heldUntil: null },
      ...{ transactionId: expect.stringMatching(/^pi_/), dispute: null, paid: true, status: 'paid', shippingLog: [] },
      ...{ refunds: [], refundedCents: 0 },
    };
    const expected = [
      { ...common, _id: disputed.id, dispute: 'open' },
      {
        ...{ ...common, _id: refunded.id, dispute: 'lost', paid: false, status: 'refunded' },
        ...{ refundedAt: time, refundReason: 'not needed', refundedCents: 3_500 },
        refunds: [{ at: expect.any(String) as string, pieces: 5, cents: 3_500, reason: 'not needed' }],
      },
      {
        ...{ ...common, _id: open.id, dispute: 'won', status: 'shipped' },
        ...{ refundRequested: true, refundReason: 'not needed' },
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
