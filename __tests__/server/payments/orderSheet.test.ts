import { parse } from 'csv-parse/sync';
import { sql } from 'drizzle-orm';
import { Order } from '../../../src/contract/entities';
import { bearer } from '../../support/customers';
import { openRefundTestKit, type RefundTestKit } from './refundTestKit';

let kit: RefundTestKit;
beforeAll(async () => {
  kit = await openRefundTestKit();
});
afterAll(() => kit.close());

type Row = Record<string, string>;
async function download(query = ''): Promise<Row[]> {
  const response = await fetch(`${kit.origin}/order.csv${query}`, { headers: bearer(kit.asAdmin()) });
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
  return parse(await response.text(), { columns: true });
}
const sumOf = (rows: Row[], count: (row: Row) => number) => rows.reduce((sum, row) => sum + count(row), 0);

describe('The file of orders', () => {
  it('adds up to the payments and refunds in the books, whole refunds and refunds of a part included', async () => {
    const [whole, part] = [await kit.createPaidOrder({ price: 9 }), await kit.createPaidOrder({ quantity: 3 })];
    await kit.requestRefund(part.id, { reason: 'broken', restock: 1, pieces: 1 });
    await kit.createPaidOrder({ price: 11 });
    await kit.createUnpaidOrder();
    await kit.requestRefund(whole.id);
    await kit.stripe.refunds.create({ payment_intent: part.intentId, amount: 333 });
    await kit.sendEvent(part.intentId, 'charge.refunded');
    const rows = await download();
    expect(Object.keys(rows[0]!)).toEqual(
      Object.keys(Order.properties).filter((name) => !['seller', 'img'].includes(name)),
    );
    const [books] = await kit.queryRows(sql`select
      (select sum(amount_cents) from payments where outcome = 'paid') as paid,
      (select sum(amount_cents) from refunds where state = 'succeeded') as refunded`);
    const paid = rows.filter(({ paidAt }) => paidAt !== '');
    expect(sumOf(paid, ({ price, totalQuantity }) => 100 * Number(price) * Number(totalQuantity))).toBe(
      Number(books!['paid']),
    );
    expect(sumOf(rows, ({ refundedCents }) => Number(refundedCents))).toBe(Number(books!['refunded']));
    const { refunds, ...refunded } = rows.find(({ _id }) => _id === whole.id)!;
    expect(refunded).toMatchObject({ status: 'refunded', refundReason: 'broken', refundedCents: '1800', price: '9' });
    expect(JSON.parse(refunds!)).toEqual((await kit.readOrder(whole.id)).refunds);
  });

  it('has the orders of the status and the words of the list, newest first, without formulas', async () => {
    const customer = await kit.createCustomer();
    const { id: toolId } = await kit.createTool();
    for (const client of ['=1+1', '@sum']) await kit.insertOrder(customer, toolId, { client, productName: 'Froe' });
    const rows = await download('?status=unpriced&q=froe');
    expect(rows.map(({ client, status }) => [client, status])).toEqual([
      ["'@sum", 'unpriced'],
      ["'=1+1", 'unpriced'],
    ]);
    expect(await download('?status=paid&q=froe')).toEqual([]);
  });

  it('has every order once, however many there are', async () => {
    await kit.insertOrders(await kit.createCustomer(), 2_500);
    const ids = (await download()).map(({ _id }) => _id);
    expect([ids.length, new Set(ids).size]).toEqual([await kit.countOrders(), ids.length]);
  });
});
