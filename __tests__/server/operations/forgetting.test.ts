import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { databaseRateLimit, forgetPastLimits } from '../../../server/http/rateLimit';
import { forgetOldKeys } from '../../../server/orders/placeOrder';
import { forgetOldEvents } from '../../../server/payments/webhook';
import { openPaymentTestKit, type PaymentTestKit } from '../../support/payments';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const A_MINUTE_MS = 60_000;
let kit: PaymentTestKit;
beforeAll(async () => {
  kit = await openPaymentTestKit({ silent: true });
});
afterAll(() => kit.close());

/** This server, so much later. */
const later = (ms: number) => ({ ...kit.deps, now: () => new Date(Date.now() + ms) });

// Clause C.6.16
it('an Idempotency-Key holds for 24 hours, and is a new one after that', async () => {
  const [who, tool, key] = [await kit.customer(), await kit.tool(), randomUUID()];
  const place = async () => (await kit.order(who, { productName: tool.name, totalQuantity: 1 }, key)).body._id;
  const first = await place();
  expect(await forgetOldKeys(later(DAY_MS - A_MINUTE_MS))).toBe(0);
  expect(await place()).toBe(first);
  expect(await forgetOldKeys(later(DAY_MS + A_MINUTE_MS))).toBe(1);
  expect(await place()).not.toBe(first);
});

it('an event of the provider is remembered for 30 days', async () => {
  const { intentId } = await kit.charged();
  expect((await kit.webhook(kit.eventOf(intentId, undefined, 'evt_old'))).status).toBe(200);
  const remembered = async () => (await kit.rows(sql`select id from provider_events`)).map(({ id }) => id);
  await forgetOldEvents(later(30 * DAY_MS - A_MINUTE_MS));
  expect(await remembered()).toEqual(['evt_old']);
  await forgetOldEvents(later(30 * DAY_MS + A_MINUTE_MS));
  expect(await remembered()).toEqual([]);
});

it('a limit is counted until its time is over, and forgotten then', async () => {
  const { db, now } = kit.deps;
  await databaseRateLimit(db, now)('young', 1, 2 * 60);
  await databaseRateLimit(db, now)('old', 1, 60);
  await forgetPastLimits(db, later(1.5 * A_MINUTE_MS).now());
  expect(await kit.rows(sql`select bucket from rate_limits`)).toEqual([{ bucket: 'young' }]);
});
