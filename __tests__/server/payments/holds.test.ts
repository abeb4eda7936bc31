import { sql } from 'drizzle-orm';
import { openPaymentTestKit, type PaymentTestKit } from '../../support/payments';

const MINUTE_MS = 60_000;
let desk: PaymentTestKit;
beforeAll(async () => {
  desk = await openPaymentTestKit({ silent: true });
});
afterEach(async () => {
  expect(await desk.findings()).toEqual([]);
});
afterAll(() => desk.close());

type Made = Awaited<ReturnType<PaymentTestKit['unpaid']>>;

async function begin({ who, order, total }: Made): Promise<string> {
  const { status, body } = await desk.ask(who, order._id, total);
  expect(status).toBe(200);
  return body.clientSecret.split('_secret_')[0]!;
}

/** The first attempt is one statement, every other one a transaction. */
async function afterACanceledAttempt(made: Made): Promise<void> {
  await desk.provider.cancelIntent(await begin(made));
}

const holdUntil = async ({ order }: Made) =>
  new Date((await desk.rows(sql`select hold_until as at from orders where id = ${order._id}`))[0]!['at']!).getTime();

describe.each([
  ['the first attempt', async () => {}],
  ['another attempt', afterACanceledAttempt],
])('A hold, when %s to pay begins,', (_which, prepare) => {
  it('is not shortened when it lasts two hours', async () => {
    const made = await desk.unpaid();
    await prepare(made);
    const before = await holdUntil(made);
    expect(before - Date.now()).toBeGreaterThan(110 * MINUTE_MS);
    await begin(made);
    expect(await holdUntil(made)).toBe(before);
  });

  it('lasts half an hour when it was about to end', async () => {
    const made = await desk.unpaid();
    await prepare(made);
    await desk.rows(sql`update orders set hold_until = now() + interval '1 minute' where id = ${made.order._id}`);
    await begin(made);
    const left = (await holdUntil(made)) - Date.now();
    expect(left).toBeGreaterThan(20 * MINUTE_MS);
    expect(left).toBeLessThanOrEqual(30 * MINUTE_MS);
  });
});
