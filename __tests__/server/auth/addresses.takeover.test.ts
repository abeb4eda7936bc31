import { eq, sql } from 'drizzle-orm';
import { reviews, users } from '../../../server/db/schema';
import { sweepOnce } from '../../../server/payments/sweep';
import { finishMarked } from '../../../server/payments/formerOwnerOrders';
import { putUser } from '../../support/api';
import { type Customer, newEmail } from '../../support/customers';
import { claimsOf, FIREBASE_ENV, signed, startGoogle } from '../../support/googleTokens';
import { sound } from '../../support/orders';
import { advanceMonotonicClock } from '../../support/shop';
import { openPaymentTestKit, type PaymentTestKit } from '../../support/payments';
import { leaveOrders, ordersOf, statesOf, stockOf } from '../../support/leftOrders';

const HOUR = 3_600_000;
let ahead = 0;
let away = false;
let google: Awaited<ReturnType<typeof startGoogle>>;
let kit: PaymentTestKit;
beforeAll(async () => {
  google = await startGoogle();
  const onCall = () => (away ? ({ status: 500 } as const) : undefined);
  const now = () => new Date(Date.now() + ahead);
  kit = await openPaymentTestKit({ silent: true, env: FIREBASE_ENV, google: google.at, now, faults: { onCall } });
});
beforeEach(() => void ([ahead, away] = [0, false]));
afterEach(async () => {
  jest.restoreAllMocks();
  away = false;
  expect([await kit.findings(), await kit.audit()]).toEqual([[], sound]);
});
afterAll(async () => {
  await kit.close();
  await google.stop();
});

async function arrive(email: string, sub: string, verified = false) {
  const claims = { sub, email_verified: verified };
  return putUser(kit.origin, email, await signed(claimsOf(email, kit.deps.now(), claims), google.key));
}
async function signIn(email: string, id: string, verified = false): Promise<Customer> {
  const { status, body } = await arrive(email, id, verified);
  expect(status).toBe(200);
  return { id, email, token: String(body.token) };
}

const AFTER = ['deleted', 'deleted', 'deleted', 'paid'];

describe('An owner who proves the address', () => {
  // Clause C.5.3
  it('finds nothing of what a stranger ordered under it: it is deleted, the stock is back, the payment canceled', async () => {
    const email = newEmail('owner');
    const left = await leaveOrders(kit, await signIn(email, `stranger-${email}`));
    const owner = await signIn(email, `owner-${email}`, true);
    expect(await statesOf(kit, left)).toEqual(AFTER);
    expect(await stockOf(kit, left)).toEqual([100, 100, 98]);
    expect((await kit.provider.findIntent(left.intent))?.status).toBe('canceled');
    expect(await ordersOf(kit, owner)).toEqual([]);
  });

  // Clause C.5.3
  it('of the same account finds neither orders, profile nor reviews of before', async () => {
    const email = newEmail('linked');
    const stranger = await signIn(email, `same-${email}`);
    const left = await leaveOrders(kit, stranger);
    const review = { description: 'Mine.', ratings: 5, img: '/a.svg' };
    await kit.call(stranger, 'POST', '/review', review);
    await kit.call(stranger, 'POST', '/profile', { address: '1 Lane', phone: '1', linkedIn: '/x' });
    const owner = await signIn(email, `same-${email}`, true);
    expect(await statesOf(kit, left)).toEqual(AFTER);
    expect((await ordersOf(kit, owner)).map(({ _id }) => _id)).toEqual([left.paid.order._id]);
    expect(await kit.deps.db.$count(reviews, eq(reviews.authorId, owner.id))).toBe(0);
    const { body } = await kit.call<{ address: string }>(owner, 'GET', `/profile/${encodeURIComponent(email)}`);
    expect(body.address).toBe('');
    const own = await kit.unpaid({ who: owner });
    await signIn(email, owner.id, true);
    expect(await kit.stateOf(own.order._id)).toBe('unpaid');
  });

  // Clause C.5.3
  it('does not touch an order whose money has come, told or untold', async () => {
    const email = newEmail('charged');
    const stranger = await signIn(email, `stranger-${email}`);
    const { order } = await kit.charged({ who: stranger });
    await signIn(email, `owner-${email}`, true);
    expect(await kit.stateOf(order._id)).toBe('paid');
  });

  it('does not find an order whose money came too late and must be refunded', async () => {
    const email = newEmail('outdated');
    const stranger = await signIn(email, `stranger-${email}`);
    const { order, tool, intentId } = await kit.charged({ who: stranger });
    await kit.giveBack(order._id);
    await kit.rows(sql`update tools set available_quantity = 0, stocked_quantity = 0 where id = ${tool.id}`);
    const owner = await signIn(email, `owner-${email}`, true);
    expect([await kit.stateOf(order._id), await ordersOf(kit, owner)]).toEqual(['deleted', []]);
    const due = sql`update payments set returned_at = now() where intent_id = ${intentId} returning reason`;
    expect(await kit.rows(due)).toEqual([{ reason: 'out of stock' }]);
  });

  it('signs in while the payment provider is away; nobody can pay meanwhile, and the sweep deletes the rest', async () => {
    const email = newEmail('outage');
    const stranger = await signIn(email, `stranger-${email}`);
    const left = await leaveOrders(kit, stranger);
    away = true;
    const begun = Date.now();
    const owner = await signIn(email, `owner-${email}`, true);
    expect(Date.now() - begun).toBeLessThan(10_000);
    expect(await statesOf(kit, left)).toEqual(['deleted', 'unpaid', 'deleted', 'paid']);
    expect(await ordersOf(kit, owner)).toEqual([]);
    await sweepOnce(kit.deps);
    expect(await kit.stateOf(left.paying.order._id)).toBe('unpaid');

    away = false;
    advanceMonotonicClock(5_100);
    expect((await kit.ask(stranger, left.paying.order._id, left.paying.total)).status).toBe(503);
    await sweepOnce(kit.deps);
    expect(await statesOf(kit, left)).toEqual(AFTER);
    expect((await kit.provider.findIntent(left.intent))?.status).toBe('canceled');
  });

  // Clause C.5.3
  it('is helped by the sweep when the server dies in the midst of it', async () => {
    const email = newEmail('crash');
    const left = await leaveOrders(kit, await signIn(email, `stranger-${email}`));
    kit.before('finish drop', () => Promise.reject(new Error('killed')));
    await signIn(email, `owner-${email}`, true);
    expect(await kit.stateOf(left.paying.order._id)).toBe('unpaid');
    await sweepOnce(kit.deps);
    expect(await statesOf(kit, left)).toEqual(AFTER);
  });

  it('loses a race against the stranger’s payment, which stays', async () => {
    const email = newEmail('race');
    const stranger = await signIn(email, `stranger-${email}`);
    const { order, total } = await kit.unpaid({ who: stranger });
    const secret = (await kit.ask(stranger, order._id, total)).body.clientSecret;
    away = true;
    await signIn(email, `owner-${email}`, true);
    await finishMarked(kit.deps); // Ends after the sign-in's own try, which began before.
    away = false;
    advanceMonotonicClock(5_100);
    const { intentId } = await kit.confirm(secret);
    await sweepOnce(kit.deps);
    expect([await kit.stateOf(order._id), await kit.count('payments', order._id)]).toEqual(['paid', 1]);
    expect((await kit.provider.findIntent(intentId))?.status).toBe('succeeded');
  });
});

describe('An address that nobody proved, held by another account', () => {
  const held = async (name: string) => {
    const email = newEmail(name);
    return { email, holder: await signIn(email, `holder-${email}`) };
  };
  const claim = async (email: string) => (await arrive(email, `next-${email}`)).status;

  // Clause C.5.4
  it('goes to the next person once its holder has not signed in for a day, without the holder’s orders', async () => {
    const { email, holder } = await held('idle');
    const { order, tool } = await kit.unpaid({ who: holder });
    ahead = 23 * HOUR;
    expect(await claim(email)).toBe(409);
    expect(await kit.stateOf(order._id)).toBe('unpaid');
    ahead = 24 * HOUR + 1000;
    expect(await claim(email)).toBe(200);
    expect([await kit.stateOf(order._id), await kit.available(tool.id)]).toEqual(['deleted', 100]);
    expect((await arrive(email, holder.id)).status).toBe(409);
  });

  // Clause C.5.4
  it('stays with a holder who signs in again', async () => {
    const { email, holder } = await held('active');
    ahead = 23 * HOUR;
    await signIn(email, holder.id);
    ahead = 46 * HOUR;
    expect(await claim(email)).toBe(409);
  });

  // Clause C.5.4
  it('stays with a holder who has paid for something', async () => {
    const { email, holder } = await held('payer');
    const { order, intentId } = await kit.charged({ who: holder });
    await kit.patch(holder, order._id, intentId);
    ahead = 48 * HOUR;
    expect(await claim(email)).toBe(409);
  });

  // Clause C.5.4
  it('stays with an admin', async () => {
    const { email, holder } = await held('admin');
    await kit.deps.db.update(users).set({ role: 'admin' }).where(eq(users.id, holder.id));
    ahead = 48 * HOUR;
    expect(await claim(email)).toBe(409);
  });

  // Clause C.5.4
  it('stays with a holder who proved it', async () => {
    const { email, holder } = await held('proven');
    await signIn(email, holder.id, true);
    ahead = 48 * HOUR;
    expect(await claim(email)).toBe(409);
  });

  it('goes to one of two who ask for it at once', async () => {
    const { email } = await held('wanted');
    ahead = 48 * HOUR;
    const both = await Promise.all([1, 2].map((n) => arrive(email, `rival-${n}-${email}`)));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  });
});
