import { sql } from 'drizzle-orm';
import type { Order } from '../../../src/contract/entities';
import type { Customer } from '../../support/customers';
import { openPaymentTestKit, type PaymentTestKit } from '../../support/payments';
import { startCrashingServer } from '../../support/server';

let kit: PaymentTestKit;
let admin: Customer;
let now = new Date();
beforeAll(async () => {
  kit = await openPaymentTestKit({ withoutWebhooks: true, now: () => now });
  admin = await kit.createCustomer('admin');
});
afterEach(async () => {
  now = new Date();
  expect(await kit.countWrongStocks()).toBe(0);
  expect(await kit.runAudit()).toEqual([]);
});
afterAll(() => kit.close());

const offer = (id: string, price: number, was?: number | null) =>
  kit.call<Order>(admin, 'PUT', `/order/${id}/price`, { price, was });

/** An order of five pieces, below the minimum, at an offered price of $11 each. */
async function placeOfferedOrder() {
  const customer = await kit.createCustomer();
  const tool = await kit.createTool({ minimumOrderQuantity: 90, availableQuantity: 100 });
  const { body } = await kit.placeOrder(customer, { productName: tool.name, totalQuantity: 5 });
  const offered = await offer(body._id, 11);
  expect([offered.status, offered.body.offered]).toEqual([200, true]);
  return { customer, tool, id: body._id, heldUntil: offered.body.heldUntil };
}

const startPayment = async (customer: Customer, id: string, total: number) => {
  const { status, body } = await kit.createIntent(customer, id, total);
  return { status, code: body.code, meta: body.meta, secret: body.clientSecret };
};
const readOrder = async (id: string) => (await kit.call<Order>(admin, 'GET', `/order/${id}`)).body;
const actsOf = (id: string) => kit.queryRows(sql`select act, detail from admin_acts where subject = ${id} order by id`);
const mailsOf = async (id: string) =>
  (await kit.queryRows(sql`select kind from mails where order_id = ${id} order by id`)).map(({ kind }) => kind);

describe('An offered price', () => {
  it('can be corrected: the stock stays held, and the customer pays only the new price', async () => {
    const { customer, tool, id, heldUntil } = await placeOfferedOrder();
    const old = await startPayment(customer, id, 55);
    now = new Date(now.getTime() + 60_000);
    const corrected = await offer(id, 17, 11);
    expect([corrected.status, corrected.body]).toMatchObject([200, { price: 17, status: 'unpaid', offered: true }]);
    expect([corrected.body.heldUntil, await kit.readAvailable(tool.id)]).toEqual([heldUntil, 95]);
    expect((await kit.confirm(old.secret)).error?.code).toBe('payment_intent_unexpected_state');
    expect(await startPayment(customer, id, 55)).toMatchObject({
      ...{ status: 409, code: 'total_mismatch', meta: { total: 85 } },
    });
    const { secret } = await startPayment(customer, id, 85);
    const { intentId } = await kit.confirm(secret);
    expect((await kit.patchOrder(customer, id, intentId)).body).toMatchObject({ status: 'paid', price: 17 });
    expect(await kit.readAvailable(tool.id)).toBe(95);
  });

  it('is recorded and emailed each time it changes, but not if it is sent again', async () => {
    const { id } = await placeOfferedOrder();
    for (const price of [17, 17, 18]) expect((await offer(id, price)).status).toBe(200);
    expect(await actsOf(id)).toEqual([
      { act: 'offer price', detail: { price: 11 } },
      { act: 'offer price', detail: { price: 17, was: 11 } },
      { act: 'offer price', detail: { price: 18, was: 17 } },
    ]);
    expect(await mailsOf(id)).toEqual(['order received', 'price offered', 'price offered', 'price offered']);
  });

  it('stays the price of its order, whatever the tool costs later, also after its hold has ended', async () => {
    const { customer, tool, id } = await placeOfferedOrder();
    await kit.endHold(id);
    await kit.queryRows(sql`update orders set priced_at = priced_at - interval '8 days' where id = ${id}`);
    await kit.queryRows(sql`update tools set price = 7 where id = ${tool.id}`);
    expect(await startPayment(customer, id, 35)).toMatchObject({ code: 'total_mismatch', meta: { total: 55 } });
    expect((await startPayment(customer, id, 55)).status).toBe(200);
  });

  it('can be corrected after its hold has ended, and then reserves nothing until it is paid', async () => {
    const { customer, tool, id } = await placeOfferedOrder();
    await kit.endHold(id);
    expect((await offer(id, 17)).body).toMatchObject({ price: 17, heldUntil: null });
    expect(await kit.readAvailable(tool.id)).toBe(100);
    expect((await startPayment(customer, id, 85)).status).toBe(200);
    expect(await kit.readAvailable(tool.id)).toBe(95);
  });

  it('cannot be corrected to a total that is too large for one payment, and its payment stays open', async () => {
    const { customer, id } = await placeOfferedOrder();
    const { secret } = await startPayment(customer, id, 55);
    expect((await offer(id, 200_000)).status).toBe(422);
    expect((await startPayment(customer, id, 55)).secret).toBe(secret);
  });

  it('cannot be corrected once it is paid, even if the shop learns of the payment only then', async () => {
    const { customer, id } = await placeOfferedOrder();
    await kit.confirm((await startPayment(customer, id, 55)).secret);
    const refused = await offer(id, 17, 11);
    expect([refused.status, refused.body.code]).toEqual([409, 'order_paid']);
    expect(await readOrder(id)).toMatchObject({ status: 'paid', price: 11 });
    expect((await offer(id, 17)).body.code).toBe('order_paid');
  });

  it('cannot be corrected while the provider is processing a payment', async () => {
    const { customer, id } = await placeOfferedOrder();
    await startPayment(customer, id, 55);
    await kit.queryRows(
      sql`update embedded_stripe.intents set status = 'processing' where metadata->>'order_id' = ${id}`,
    );
    const cancelSpy = jest
      .spyOn(kit.provider, 'cancelIntent')
      .mockImplementation((intent) => kit.provider.findIntent(intent));
    const refused = await offer(id, 17);
    cancelSpy.mockRestore();
    expect([refused.status, refused.body.code]).toEqual([409, 'payment_in_progress']);
    expect((await readOrder(id)).price).toBe(11);
    await kit.queryRows(sql`
      update embedded_stripe.intents set status = 'requires_payment_method' where metadata->>'order_id' = ${id}`);
  });
});

describe('Correcting an offered price', () => {
  it('is refused if another admin has corrected the price that this one saw', async () => {
    const { id } = await placeOfferedOrder();
    const responses = await Promise.all(Array.from({ length: 10 }, (_, n) => offer(id, 20 + n, 11)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(9).fill(409)]);
    expect(new Set(responses.map(({ body }) => body.code))).toEqual(new Set([undefined, 'order_priced']));
    expect(await mailsOf(id)).toEqual(['order received', 'price offered', 'price offered']);
    expect((await readOrder(id)).price).toBe(responses.find(({ status }) => status === 200)!.body.price);
  });

  it('waits for another admin whose correction is canceling the payment, and is then refused', async () => {
    const { customer, id } = await placeOfferedOrder();
    await startPayment(customer, id, 55);
    let second: ReturnType<typeof offer> | undefined;
    kit.runBefore('finish price', async () => {
      const secondTry = new Promise<void>((resolve) =>
        kit.runBefore('price order', async () => kit.runBefore('price order', async () => resolve())),
      );
      second = offer(id, 18, 11);
      await secondTry;
    });
    expect((await offer(id, 17, 11)).status).toBe(200);
    expect((await second!).body.code).toBe('order_priced');
    expect((await readOrder(id)).price).toBe(17);
  });

  it('lets a customer who pays at the same time pay either the old price or the new one, and once', async () => {
    for (let round = 0; round < 10; round++) {
      const { customer, tool, id } = await placeOfferedOrder();
      const { secret } = await startPayment(customer, id, 55);
      const [corrected, confirmed] = await Promise.all([offer(id, 17), kit.confirm(secret)]);
      const isCharged = confirmed.status === 'succeeded';
      if (isCharged) await kit.patchOrder(customer, id, confirmed.intentId);
      expect([corrected.status, isCharged]).toEqual(isCharged ? [409, true] : [200, false]);
      expect(await readOrder(id)).toMatchObject(
        isCharged ? { status: 'paid', price: 11 } : { status: 'unpaid', price: 17 },
      );
      expect(await kit.readAvailable(tool.id)).toBe(95);
    }
  });

  it('lets no payment begin at the old price while it is being corrected', async () => {
    const { customer, id } = await placeOfferedOrder();
    await startPayment(customer, id, 55);
    let begun: ReturnType<typeof startPayment> | undefined;
    kit.runBefore('finish price', async () => {
      const secondBegin = kit.waitForSecondBegin();
      begun = startPayment(customer, id, 55);
      await secondBegin;
    });
    expect((await offer(id, 17)).status).toBe(200);
    expect((await begun!).code).toBe('total_mismatch');
    expect(
      await kit.queryRows(sql`select id from embedded_stripe.intents
      where metadata->>'order_id' = ${id} and status <> 'canceled'`),
    ).toEqual([]);
  });

  it('leaves the old price payable, and can be repeated, if the server is killed before it is written', async () => {
    const { customer, tool, id } = await placeOfferedOrder();
    const { secret } = await startPayment(customer, id, 55);
    const crashing = await startCrashingServer(kit.database!.connection, 'finish price');
    const headers = { authorization: `Bearer ${admin.token}`, 'content-type': 'application/json' };
    const correction = { method: 'PUT', headers, body: JSON.stringify({ price: 17, was: 11 }) };
    await expect(fetch(`${crashing.origin}/order/${id}/price`, correction)).rejects.toThrow();
    expect((await crashing.exited)[1]).toBe('SIGKILL');
    expect((await kit.confirm(secret)).error?.code).toBe('payment_intent_unexpected_state');
    expect([(await readOrder(id)).price, (await mailsOf(id)).length, await kit.readAvailable(tool.id)]).toEqual([
      11, 2, 95,
    ]);

    now = new Date(Date.now() + 61_000);
    expect((await startPayment(customer, id, 55)).status).toBe(200);
    expect((await offer(id, 17, 11)).status).toBe(200);
    expect((await startPayment(customer, id, 85)).status).toBe(200);
    expect(await mailsOf(id)).toEqual(['order received', 'price offered', 'price offered']);
  });
});
