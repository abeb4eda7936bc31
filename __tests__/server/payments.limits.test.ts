import { randomUUID } from 'node:crypto';
import { openPaymentDesk, type PaymentDesk } from '../support/payments';

let ahead = 0;
let desk: PaymentDesk;
beforeAll(async () => {
  desk = await openPaymentDesk({ silent: true, env: { RATE_LIMIT: 'on' }, now: () => new Date(Date.now() + ahead) });
});
afterAll(() => desk.close());

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
  ahead = 61_000;
  expect((await Promise.all(both(ann))).map(({ status }) => status)).toEqual([404, 404]);
});
