import { eq, sql } from 'drizzle-orm';
import { reviews, users } from '../../../server/db/schema';
import { sweepOnce } from '../../../server/payments/sweep';
import { deleteMarkedOrders } from '../../../server/payments/formerOwnerOrders';
import { putUser } from '../../support/api';
import { type Customer, newEmail } from '../../support/customers';
import { claimsOf, FIREBASE_ENV, googleClaimsOf, signToken, startGoogle } from '../../support/googleTokens';
import { NO_DISCREPANCIES } from '../../support/orders';
import { advanceMonotonicClock, collectLog } from '../../support/shop';
import { openPaymentTestKit, type PaymentTestKit } from '../../support/payments';
import { placeOrderInEachState, listOrders, statesOf, stockOf } from './orderInEachState';

const HOUR = 3_600_000;
let clockOffsetMs = 0;
let isProviderDown = false;
let google: Awaited<ReturnType<typeof startGoogle>>;
const log = collectLog();
let testKit: PaymentTestKit;
beforeAll(async () => {
  google = await startGoogle();
  const onCall = () => (isProviderDown ? ({ status: 500 } as const) : undefined);
  const now = () => new Date(Date.now() + clockOffsetMs);
  testKit = await openPaymentTestKit({
    withoutWebhooks: true,
    env: FIREBASE_ENV,
    google: google.endpoints,
    now,
    faults: { onCall },
    logger: log.logger,
  });
});
beforeEach(() => void ([clockOffsetMs, isProviderDown] = [0, false]));
afterEach(async () => {
  jest.restoreAllMocks();
  isProviderDown = false;
  expect([await testKit.runAudit(), await testKit.auditStock()]).toEqual([[], NO_DISCREPANCIES]);
});
afterAll(async () => {
  await testKit.close();
  await google.stop();
});

async function putUserAs(email: string, sub: string, verified = false) {
  const claims = verified ? { ...googleClaimsOf(email), sub } : { sub };
  return putUser(testKit.origin, email, await signToken(claimsOf(email, testKit.deps.now(), claims), google.key));
}
async function signIn(email: string, id: string, verified = false): Promise<Customer> {
  const { status, body } = await putUserAs(email, id, verified);
  expect(status).toBe(200);
  return { id, email, token: String(body.token) };
}

const endCircuitBreakerPause = () => advanceMonotonicClock(5_100);
const STATES_AFTER_TAKEOVER = ['deleted', 'deleted', 'deleted', 'paid'];

describe('A Google user who verifies an email', () => {
  // Clause C.5.3
  it("does not get the previous user's unpaid orders, which are deleted and whose payments are canceled", async () => {
    const email = newEmail('owner');
    const leftOrders = await placeOrderInEachState(testKit, await signIn(email, `stranger-${email}`));
    const owner = await signIn(email, `owner-${email}`, true);
    expect(await statesOf(testKit, leftOrders)).toEqual(STATES_AFTER_TAKEOVER);
    expect(await stockOf(testKit, leftOrders)).toEqual([100, 100, 98]);
    expect((await testKit.provider.findIntent(leftOrders.intentId))?.status).toBe('canceled');
    expect(await listOrders(testKit, owner)).toEqual([]);
  });

  // Clause C.5.3
  it('loses the unpaid orders, profile and reviews that were created under that email before it was verified', async () => {
    const email = newEmail('linked');
    const previousUser = await signIn(email, `same-${email}`);
    const leftOrders = await placeOrderInEachState(testKit, previousUser);
    const review = { description: 'Mine.', ratings: 5, img: '/a.svg' };
    await testKit.call(previousUser, 'POST', '/review', review);
    await testKit.call(previousUser, 'POST', '/profile', { address: '1 Lane', phone: '1', linkedIn: '/x' });
    const owner = await signIn(email, `same-${email}`, true);
    expect(await statesOf(testKit, leftOrders)).toEqual(STATES_AFTER_TAKEOVER);
    expect((await listOrders(testKit, owner)).map(({ _id }) => _id)).toEqual([leftOrders.paid.order._id]);
    expect(await testKit.deps.db.$count(reviews, eq(reviews.authorId, owner.id))).toBe(0);
    const { body } = await testKit.call<{ address: string }>(owner, 'GET', `/profile/${encodeURIComponent(email)}`);
    expect(body.address).toBe('');
    const ownOrder = await testKit.createUnpaidOrder({ customer: owner });
    await signIn(email, owner.id, true);
    expect(await testKit.stateOf(ownOrder.order._id)).toBe('unpaid');
  });

  // Clause C.5.3
  it('does not cause the deletion of an order that has already been charged, which is recorded as paid', async () => {
    const email = newEmail('charged');
    const previousUser = await signIn(email, `stranger-${email}`);
    const { order } = await testKit.createChargedOrder({ customer: previousUser });
    await signIn(email, `owner-${email}`, true);
    expect(await testKit.stateOf(order._id)).toBe('paid');
  });

  it('does not get an order of the previous user whose payment must be refunded', async () => {
    const email = newEmail('outdated');
    const previousUser = await signIn(email, `stranger-${email}`);
    const { order, tool, intentId } = await testKit.createChargedOrder({ customer: previousUser });
    await testKit.endHold(order._id);
    await testKit.queryRows(sql`update tools set available_quantity = 0, stocked_quantity = 0 where id = ${tool.id}`);
    const owner = await signIn(email, `owner-${email}`, true);
    expect([await testKit.stateOf(order._id), await listOrders(testKit, owner)]).toEqual(['deleted', []]);
    const markRefunded = sql`update payments set returned_at = now() where intent_id = ${intentId} returning reason`;
    expect(await testKit.queryRows(markRefunded)).toEqual([{ reason: 'out of stock' }]);
  });

  it("can sign in while the payment provider is down, and the sweep later deletes the previous user's unpaid orders", async () => {
    const email = newEmail('outage');
    const previousUser = await signIn(email, `stranger-${email}`);
    const leftOrders = await placeOrderInEachState(testKit, previousUser);
    isProviderDown = true;
    const owner = await signIn(email, `owner-${email}`, true);
    expect(await statesOf(testKit, leftOrders)).toEqual(['deleted', 'unpaid', 'deleted', 'paid']);
    expect(await listOrders(testKit, owner)).toEqual([]);
    await sweepOnce(testKit.deps);
    expect(await testKit.stateOf(leftOrders.paying.order._id)).toBe('unpaid');
    const warning = 'could not delete an unpaid order of a user whose email now belongs to another account';
    expect(log.linesOf(warning).at(-1)).toMatchObject({ orderId: leftOrders.paying.order._id });

    isProviderDown = false;
    endCircuitBreakerPause();
    expect(
      (await testKit.createIntent(previousUser, leftOrders.paying.order._id, leftOrders.paying.total)).status,
    ).toBe(503);
    await sweepOnce(testKit.deps);
    expect(await statesOf(testKit, leftOrders)).toEqual(STATES_AFTER_TAKEOVER);
    expect((await testKit.provider.findIntent(leftOrders.intentId))?.status).toBe('canceled');
  });

  // Clause C.5.3
  it("does not get the previous user's orders after a crash during sign-in, because the sweep deletes them", async () => {
    const email = newEmail('crash');
    const leftOrders = await placeOrderInEachState(testKit, await signIn(email, `stranger-${email}`));
    testKit.runBefore('delete marked order', () => Promise.reject(new Error('killed')));
    await signIn(email, `owner-${email}`, true);
    expect(await testKit.stateOf(leftOrders.paying.order._id)).toBe('unpaid');
    await sweepOnce(testKit.deps);
    expect(await statesOf(testKit, leftOrders)).toEqual(STATES_AFTER_TAKEOVER);
  });

  it('does not cancel a payment that the previous user makes before the order is deleted', async () => {
    const email = newEmail('race');
    const previousUser = await signIn(email, `stranger-${email}`);
    const { order, total } = await testKit.createUnpaidOrder({ customer: previousUser });
    const { clientSecret } = (await testKit.createIntent(previousUser, order._id, total)).body;
    isProviderDown = true;
    await signIn(email, `owner-${email}`, true);
    await deleteMarkedOrders(testKit.deps); // Waits for the deletion that the sign-in started.
    isProviderDown = false;
    endCircuitBreakerPause();
    const { intentId } = await testKit.confirm(clientSecret);
    await sweepOnce(testKit.deps);
    expect([await testKit.stateOf(order._id), await testKit.countRowsOf('payments', order._id)]).toEqual(['paid', 1]);
    expect((await testKit.provider.findIntent(intentId))?.status).toBe('succeeded');
  });
});

describe('An email that another account holds', () => {
  const holdEmail = async (name: string) => {
    const email = newEmail(name);
    return { email, holder: await signIn(email, `holder-${email}`) };
  };
  const statusOfTakeover = async (email: string) => (await putUserAs(email, `next-${email}`)).status;

  // Clause C.5.3
  it("can be taken over, without its holder's orders, if it is unverified and its holder last signed in over a day ago", async () => {
    const { email, holder } = await holdEmail('idle');
    const { order, tool } = await testKit.createUnpaidOrder({ customer: holder });
    clockOffsetMs = 23 * HOUR;
    expect(await statusOfTakeover(email)).toBe(409);
    expect(await testKit.stateOf(order._id)).toBe('unpaid');
    clockOffsetMs = 24 * HOUR + 1000;
    expect(await statusOfTakeover(email)).toBe(200);
    expect([await testKit.stateOf(order._id), await testKit.readAvailable(tool.id)]).toEqual(['deleted', 100]);
    expect((await putUserAs(email, holder.id)).status).toBe(409);
  });

  // Clause C.5.3
  it('cannot be taken over if its holder has signed in within a day', async () => {
    const { email, holder } = await holdEmail('active');
    clockOffsetMs = 23 * HOUR;
    await signIn(email, holder.id);
    clockOffsetMs = 46 * HOUR;
    expect(await statusOfTakeover(email)).toBe(409);
  });

  // Clause C.5.3
  it('cannot be taken over if its holder has paid for an order', async () => {
    const { email, holder } = await holdEmail('payer');
    const { order, intentId } = await testKit.createChargedOrder({ customer: holder });
    await testKit.patchOrder(holder, order._id, intentId);
    clockOffsetMs = 48 * HOUR;
    expect(await statusOfTakeover(email)).toBe(409);
  });

  // Clause C.5.3
  it('cannot be taken over if its holder is an admin', async () => {
    const { email, holder } = await holdEmail('admin');
    await testKit.deps.db.update(users).set({ role: 'admin' }).where(eq(users.id, holder.id));
    clockOffsetMs = 48 * HOUR;
    expect(await statusOfTakeover(email)).toBe(409);
  });

  // Clause C.5.3
  it('cannot be taken over if its holder has verified it', async () => {
    const { email, holder } = await holdEmail('proven');
    await signIn(email, holder.id, true);
    clockOffsetMs = 48 * HOUR;
    expect(await statusOfTakeover(email)).toBe(409);
  });

  it('is given to only one of two users who try to take it over at the same time', async () => {
    const { email } = await holdEmail('wanted');
    clockOffsetMs = 48 * HOUR;
    const responses = await Promise.all([1, 2].map((n) => putUserAs(email, `rival-${n}-${email}`)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409]);
  });
});
