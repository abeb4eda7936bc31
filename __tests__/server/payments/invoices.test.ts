import { sql } from 'drizzle-orm';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Order } from '../../../src/contract/entities';
import { SELLER } from '../../../src/contract/seller';
import { sweepOnce } from '../../../server/jobs/sweep';
import { CARDS } from '../../support/cards';
import { startCrashingServer } from '../../support/server';
import { openRefundTestKit, type RefundTestKit } from './refundTestKit';

let kit: RefundTestKit;
beforeEach(async () => {
  kit = await openRefundTestKit();
});
afterEach(async () => {
  const findings = await kit.runAudit();
  await kit.close();
  expect(findings).toEqual([]);
});

const invoiceOf = async (id: string) => (await kit.readOrder(id)).invoice;
const creditNoteOf = async (id: string) => (await kit.readOrder(id)).refunds!.map(({ number }) => number);
const list = (path: string) => kit.call<Order[]>(kit.asAdmin(), 'GET', path);
const find = async (q: string) => (await list(`/order?q=${encodeURIComponent(q)}`)).body.map(({ _id }) => _id);

/** Turns paid and refunded orders into those that the previous version records. */
const forgetNumbers = () =>
  kit.deps.db.$client.query(
    `update payments set invoice = null, seller = null; update refunds set number = null; delete from paper_numbers`,
  );

describe('An invoice', () => {
  it('has the next number of its series, and so has the credit note of a refund', async () => {
    const orders = [await kit.createPaidOrder(), await kit.createPaidOrder(), await kit.createPaidOrder()];
    const [first, second, third] = orders.map(({ id }) => id) as [string, string, string];
    expect(await Promise.all([first, second, third].map(invoiceOf))).toEqual(['F-000001', 'F-000002', 'F-000003']);
    expect((await kit.requestRefund(second)).status).toBe(200);
    expect((await kit.requestRefund(first)).status).toBe(200);
    expect([await creditNoteOf(second), await creditNoteOf(first)]).toEqual([['C-000001'], ['C-000002']]);
    const unpaid = await kit.createUnpaidOrder();
    expect(unpaid.order.invoice).toBeNull();
    expect(await invoiceOf(unpaid.order._id)).toBeNull();
  });

  it('is not given to money that comes too late', async () => {
    const { customer, id, intentId } = await kit.createChargedOrder();
    await kit.createPaidOrder();
    await kit.queryRows(sql`update orders set state = 'deleted', deleted_at = now(), holds_stock = false,
      hold_until = null where id = ${id}`);
    await kit.queryRows(sql`update tools set available_quantity = stocked_quantity where id = (
      select tool_id from orders where id = ${id})`);
    expect((await kit.patchOrder(customer, id, intentId)).body.code).toBe('payment_returned');
    await sweepOnce(kit.deps);
    expect(await kit.queryRows(sql`select state, number from refunds`)).toEqual([{ state: 'succeeded', number: null }]);
    expect(await kit.queryRows(sql`select series, last from paper_numbers`)).toEqual([{ series: 'invoice', last: 1 }]);
  });

  it('has one credit note for a refund that failed later and the one that replaced it', async () => {
    const { id, intentId } = await kit.createPaidOrder({ card: CARDS.refundFails });
    await kit.requestRefund(id);
    const failed = await creditNoteOf(id);
    await kit.waitForRefund(intentId, 'failed');
    expect(await kit.sendEvent(intentId, 'refund.failed')).toBe(200);
    expect(await creditNoteOf(id)).toEqual([]);
    await kit.requestRefund(id);
    expect(await creditNoteOf(id)).toEqual(failed);
    expect(
      (await kit.queryRows(sql`select number from refunds where number is not null`)).map(({ number }) => number),
    ).toEqual(failed);
    await kit.sweep();
    expect(await creditNoteOf(id)).toEqual(failed);
  });

  it('is found by its number, and so is its credit note', async () => {
    const { id } = await kit.createPaidOrder();
    const other = await kit.createPaidOrder();
    await kit.requestRefund(other.id);
    expect(await find('F-000001')).toEqual([id]);
    expect(await find(' c-000001 ')).toEqual([other.id]);
    expect(await find('F-000003')).toEqual([]);
    await kit.queryRows(sql`update orders set reference = 'F-000003' where id = ${id}`);
    expect(await find('F-000003')).toEqual([id]);
  });

  it('says the same after the tool, the customer and the shop have changed', async () => {
    const { customer, id, tool } = await kit.createPaidOrder();
    const read = async () => JSON.stringify((await kit.call(customer, 'GET', `/order/${id}`)).body);
    const first = await read();
    expect(JSON.parse(first)).toMatchObject({ invoice: 'F-000001', seller: SELLER });
    await kit.call(kit.asAdmin(), 'PATCH', `/tool/${tool.id}`, { name: 'Renamed', price: 999 });
    await kit.queryRows(sql`update users set display_name = 'Ann Renamed', email = 'renamed@mail.example'
      where id = ${customer.id}`);
    expect(await read()).toBe(first);
    await kit.queryRows(sql`update payments set seller = ${'Forgeline\n1 Earlier Street'}`);
    expect(JSON.parse(await read())).toMatchObject({ seller: 'Forgeline\n1 Earlier Street' });
  });
});

describe('The sweep', () => {
  it('numbers the orders of the previous version as they were paid and refunded, and continues both series', async () => {
    const orders = [await kit.createPaidOrder(), await kit.createPaidOrder(), await kit.createPaidOrder()];
    for (const { id } of orders) expect((await kit.requestRefund(id)).status).toBe(200);
    await kit.queryRows(
      sql`update payments set created_at = now() - interval '1 year' where order_id = ${orders[2]!.id}`,
    );
    await forgetNumbers();
    const newer = await kit.createPaidOrder();
    await sweepOnce(kit.deps);
    await sweepOnce(kit.deps);
    const ids = [newer, orders[2]!, orders[0]!, orders[1]!].map(({ id }) => id);
    expect(await Promise.all(ids.map(invoiceOf))).toEqual(['F-000001', 'F-000002', 'F-000003', 'F-000004']);
    expect(await Promise.all(orders.map(({ id }) => creditNoteOf(id)))).toEqual([
      ['C-000001'],
      ['C-000002'],
      ['C-000003'],
    ]);
    expect(await kit.readOrder(orders[0]!.id)).toMatchObject({ seller: SELLER });
  });
});

describe('The doctor', () => {
  it('names a number that is missing, one that was never taken, and a paid order without an invoice', async () => {
    const { id, intentId } = await kit.createPaidOrder();
    const set = (invoice: string | null) =>
      kit.queryRows(sql`update payments set invoice = ${invoice} where order_id = ${id}`);
    const findNames = async () => (await kit.runAudit()).map(({ name, subject }) => `${name} ${subject}`);
    await set('F-000002');
    expect(await findNames()).toEqual(['paper_number_not_used_once F-000001', 'paper_number_not_used_once F-000002']);
    await set(null);
    expect(await findNames()).toEqual(['paper_number_not_used_once F-000001']);
    await kit.queryRows(sql`update payments set created_at = now() - interval '11 minutes'`);
    expect(await findNames()).toEqual(['paper_number_not_used_once F-000001', `paper_without_number ${intentId}`]);
    await set('F-000001');
  });
});

const COPIES = 3;
const ORDERS = 200;
const KILLS = 3;
const CLIENTS = 12;

/** Inserts copies of a charged order, each with an intent of its own, and returns the ids of their intents. */
async function copyChargedOrder({ id, intentId, tool }: { id: string; intentId: string; tool: { id: string } }) {
  const { db } = kit.deps;
  const copied = [
    'email',
    'client',
    'product_name',
    'unit_price',
    'quantity',
    'address',
    'phone',
    'reference',
    'state',
  ];
  const columns = [...copied, 'owner_id', 'tool_id', 'holds_stock', 'hold_until'].join(', ');
  const { rows } = await db.$client.query<{ id: string }>(
    `with copies as (
      insert into orders (${columns}) select ${columns} from orders, generate_series(1, $3) where id = $1 returning id),
    attempts as (
      insert into payment_attempts (order_id, n, idempotency_key, intent_id, amount_cents, currency, lease_until)
      select copies.id, 1, copies.id, 'pi_' || replace(copies.id::text, '-', ''), amount_cents, currency, lease_until
      from copies, payment_attempts where order_id = $1)
    insert into embedded_stripe.intents (id, client_secret, status, amount, amount_received, currency, charge_id, metadata, body)
    select 'pi_' || replace(copies.id::text, '-', ''), client_secret, status, amount, amount_received, currency,
      'ch_' || copies.id, metadata || jsonb_build_object('order_id', copies.id), body
    from copies, embedded_stripe.intents i where i.id = $2 returning id`,
    [id, intentId, ORDERS],
  );
  await kit.queryRows(sql`update tools set stocked_quantity = available_quantity + (
    select sum(quantity) from orders where tool_id = ${tool.id} and holds_stock) where id = ${tool.id}`);
  return rows.map((row) => row.id);
}

describe('Three copies of the server', () => {
  type Copy = Awaited<ReturnType<typeof startCrashingServer>>;
  const copies: Copy[] = [];
  const start = async (place: number) => {
    copies[place] = await startCrashingServer(kit.database!.connection, 'never');
  };
  afterEach(() => copies.forEach((copy) => copy.kill()));

  it(`leave no gap and give no number twice when they record ${ORDERS} payments and ${KILLS} of them are killed`, async () => {
    const charged = await kit.createChargedOrder();
    const waiting = await copyChargedOrder(charged);
    await Promise.all(Array.from({ length: COPIES }, (_, place) => start(place)));

    let reports = 0;
    /** A payment whose copy is killed is reported again, as the provider does. */
    async function report(): Promise<void> {
      for (let intent = waiting.shift(); intent; intent = waiting.shift()) {
        const body = kit.webhookEvent(intent);
        const headers = { 'content-type': 'application/json', 'stripe-signature': kit.signWebhook(body) };
        const copy = copies[reports++ % COPIES]!;
        const answer = await fetch(`${copy.origin}/webhooks/stripe`, { method: 'POST', headers, body }).catch(
          () => null,
        );
        if (answer?.status === 200) continue;
        waiting.push(intent);
        await sleep(20);
      }
    }
    const countPaid = async () => Number((await kit.queryRows(sql`select count(*) n from payments`))[0]!['n']);
    const starts: Promise<void>[] = [];
    async function killCopies(): Promise<void> {
      for (let killed = 0; killed < KILLS; killed++) {
        while ((await countPaid()) < ((killed + 1) * ORDERS) / (KILLS + 1)) await sleep(5);
        copies[killed % COPIES]!.kill();
        starts.push(start(killed % COPIES));
      }
    }
    await Promise.all([killCopies(), ...Array.from({ length: CLIENTS }, report)]);
    await Promise.all(starts);

    expect(
      await kit.queryRows(sql`select count(*)::int n, count(distinct invoice)::int as numbers, min(invoice), max(invoice),
        (select last from paper_numbers) as last from payments`),
    ).toEqual([
      { n: ORDERS, numbers: ORDERS, min: 'F-000001', max: `F-${String(ORDERS).padStart(6, '0')}`, last: ORDERS },
    ]);
    const { customer, id, intentId } = charged;
    expect((await kit.patchOrder(customer, id, intentId)).status).toBe(200);
  });
});
