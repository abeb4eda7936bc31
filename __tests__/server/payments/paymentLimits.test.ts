import { randomUUID } from 'node:crypto';
import type { Customer } from '../../support/customers';
import { openPaymentTestKit, type PaymentTestKit } from '../../support/payments';

let clockOffsetMs = 0;
let testKit: PaymentTestKit;
beforeAll(async () => {
  testKit = await openPaymentTestKit({
    withoutWebhooks: true,
    env: { RATE_LIMIT: 'on' },
    now: () => new Date(Date.now() + clockOffsetMs),
  });
});
afterAll(() => testKit.close());

/** Sends other write requests, which the limit on payment requests must not block. */
async function sendOtherWrites(customer: Customer): Promise<number[]> {
  const { name, id } = await testKit.createTool();
  const review = { description: 'It holds.', ratings: 5, img: '/a.svg' };
  const profile = { address: '1 Road', phone: '555', linkedIn: 'https://linkedin.example/in/ann' };
  const responses = [
    await testKit.placeOrder(customer, { productName: name, toolId: id, totalQuantity: 1 }),
    await testKit.call(customer, 'POST', '/review', review),
    await testKit.call(customer, 'POST', '/profile', profile),
  ];
  return responses.map(({ status }) => status);
}

it('a customer can start or confirm a payment sixty times a minute in total, and then gets a 429 with Retry-After', async () => {
  const [ann, bob, order] = [await testKit.createCustomer(), await testKit.createCustomer(), randomUUID()];
  const startAndConfirm = (customer: typeof ann) => [
    testKit.createIntent(customer, order, 7),
    testKit.patchOrder(customer, order, 'pi_any'),
  ];
  const responses = await Promise.all(Array.from({ length: 30 }, () => startAndConfirm(ann)).flat());
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([404]));
  for (const { status, headers } of await Promise.all(startAndConfirm(ann))) {
    expect(status).toBe(429);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  }
  expect((await Promise.all(startAndConfirm(bob))).map(({ status }) => status)).toEqual([404, 404]);
  expect(await sendOtherWrites(ann)).toEqual([201, 201, 201]);
  clockOffsetMs = 61_000;
  expect((await Promise.all(startAndConfirm(ann))).map(({ status }) => status)).toEqual([404, 404]);
});
