import { randomUUID } from 'node:crypto';
import type { Customer } from '../../support/customers';
import { openPaymentTestKit, type PaymentTestKit } from '../../support/payments';

let ahead = 0;
let desk: PaymentTestKit;
beforeAll(async () => {
  desk = await openPaymentTestKit({ silent: true, env: { RATE_LIMIT: 'on' }, now: () => new Date(Date.now() + ahead) });
});
afterAll(() => desk.close());

/** Each kind of write has a limit of its own: whoever pays too often may still order. */
async function otherWrites(who: Customer): Promise<number[]> {
  const { name, id } = await desk.tool();
  const review = { description: 'It holds.', ratings: 5, img: '/a.svg' };
  const profile = { address: '1 Road', phone: '555', linkedIn: 'https://linkedin.example/in/ann' };
  const answers = [
    await desk.order(who, { productName: name, toolId: id, totalQuantity: 1 }),
    await desk.call(who, 'POST', '/review', review),
    await desk.call(who, 'POST', '/profile', profile),
  ];
  return answers.map(({ status }) => status);
}

it('one person asks for payments and tells of them sixty times a minute, then 429 says when to come back', async () => {
  const [ann, bob, order] = [await desk.customer(), await desk.customer(), randomUUID()];
  const both = (who: typeof ann) => [desk.ask(who, order, 7), desk.patch(who, order, 'pi_any')];
  const answers = await Promise.all(Array.from({ length: 30 }, () => both(ann)).flat());
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404]));
  for (const { status, headers } of await Promise.all(both(ann))) {
    expect(status).toBe(429);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  }
  expect((await Promise.all(both(bob))).map(({ status }) => status)).toEqual([404, 404]);
  expect(await otherWrites(ann)).toEqual([201, 201, 201]);
  ahead = 61_000;
  expect((await Promise.all(both(ann))).map(({ status }) => status)).toEqual([404, 404]);
});
