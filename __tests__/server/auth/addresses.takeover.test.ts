import { eq, sql } from 'drizzle-orm';
import { reviews, users } from '../../../server/db/schema';
import { sweepOnce } from '../../../server/payments/sweep';
import { finishMarked } from '../../../server/payments/formerOrders';
import { putUser } from '../../support/calls';
import { claimsOf, FIREBASE_ENV, signed, startGoogle } from '../../support/google';
import { later } from '../../support/later';
import { sound, type Customer } from '../../support/orders';
import { leaveOrders, ordersOf, statesOf, stockOf } from '../../support/leftOrders';
import { openPaymentDesk, type PaymentDesk } from '../../support/payments';
import { newAddress } from '../../support/shopWithGoogle';

const HOUR = 3_600_000;
let ahead = 0;
let away = false;
let google: Awaited<ReturnType<typeof startGoogle>>;
let desk: PaymentDesk;
beforeAll(async () => {
  google = await startGoogle();
  const onCall = () => (away ? ({ status: 500 } as const) : undefined);
  const now = () => new Date(Date.now() + ahead);
  desk = await openPaymentDesk({ silent: true, env: FIREBASE_ENV, google: google.at, now, faults: { onCall } });
});
beforeEach(() => void ([ahead, away] = [0, false]));
afterEach(async () => {
  jest.restoreAllMocks();
  away = false;
  expect([await desk.findings(), await desk.audit()]).toEqual([[], sound]);
});
afterAll(async () => {
  await desk.close();
  await google.stop();
});

async function arrive(email: string, sub: string, verified = false) {
  const claims = { sub, email_verified: verified };
  return putUser(desk.origin, email, await signed(claimsOf(email, desk.deps.now(), claims), google.key));
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
    const email = newAddress('owner');
    const left = await leaveOrders(desk, await signIn(email, `stranger-${email}`));
    const owner = await signIn(email, `owner-${email}`, true);
    expect(await statesOf(desk, left)).toEqual(AFTER);
    expect(await stockOf(desk, left)).toEqual([100, 100, 98]);
    expect((await desk.provider.findIntent(left.intent))?.status).toBe('canceled');
    expect(await ordersOf(desk, owner)).toEqual([]);
  });

  // Clause C.5.3
  it('of the same account finds neither orders, profile nor reviews of before', async () => {
    const email = newAddress('linked');
    const stranger = await signIn(email, `same-${email}`);
    const left = await leaveOrders(desk, stranger);
    const review = { description: 'Mine.', ratings: 5, img: '/a.svg' };
    await desk.call(stranger, 'POST', '/review', review);
    await desk.call(stranger, 'POST', '/profile', { address: '1 Lane', phone: '1', linkedIn: '/x' });
    const owner = await signIn(email, `same-${email}`, true);
    expect(await statesOf(desk, left)).toEqual(AFTER);
    expect((await ordersOf(desk, owner)).map(({ _id }) => _id)).toEqual([left.paid.order._id]);
    expect(await desk.deps.db.$count(reviews, eq(reviews.authorId, owner.id))).toBe(0);
    const { body } = await desk.call<{ address: string }>(owner, 'GET', `/profile/${encodeURIComponent(email)}`);
    expect(body.address).toBe('');
    const own = await desk.unpaid({ who: owner });
    await signIn(email, owner.id, true);
    expect(await desk.stateOf(own.order._id)).toBe('unpaid');
  });

  // Clause C.5.3
  it('does not touch an order whose money has come, told or untold', async () => {
    const email = newAddress('charged');
    const stranger = await signIn(email, `stranger-${email}`);
    const { order } = await desk.charged({ who: stranger });
    await signIn(email, `owner-${email}`, true);
    expect(await desk.stateOf(order._id)).toBe('paid');
  });

  it('does not find an order whose money came too late and must be refunded', async () => {
    const email = newAddress('outdated');
    const stranger = await signIn(email, `stranger-${email}`);
    const { order, tool, intentId } = await desk.charged({ who: stranger });
    await desk.giveBack(order._id);
    await desk.rows(sql`update tools set available_quantity = 0, stocked_quantity = 0 where id = ${tool.id}`);
    const owner = await signIn(email, `owner-${email}`, true);
    expect([await desk.stateOf(order._id), await ordersOf(desk, owner)]).toEqual(['deleted', []]);
    const due = sql`update payments set returned_at = now() where intent_id = ${intentId} returning reason`;
    expect(await desk.rows(due)).toEqual([{ reason: 'out of stock' }]);
  });

  it('signs in while the payment provider is away; nobody can pay meanwhile, and the sweep deletes the rest', async () => {
    const email = newAddress('outage');
    const stranger = await signIn(email, `stranger-${email}`);
    const left = await leaveOrders(desk, stranger);
    away = true;
    const begun = Date.now();
    const owner = await signIn(email, `owner-${email}`, true);
    expect(Date.now() - begun).toBeLessThan(10_000);
    expect(await statesOf(desk, left)).toEqual(['deleted', 'unpaid', 'deleted', 'paid']);
    expect(await ordersOf(desk, owner)).toEqual([]);
    await sweepOnce(desk.deps);
    expect(await desk.stateOf(left.paying.order._id)).toBe('unpaid');

    away = false;
    later(5_100);
    expect((await desk.ask(stranger, left.paying.order._id, left.paying.total)).status).toBe(503);
    await sweepOnce(desk.deps);
    expect(await statesOf(desk, left)).toEqual(AFTER);
    expect((await desk.provider.findIntent(left.intent))?.status).toBe('canceled');
  });

  // Clause C.5.3
  it('is helped by the sweep when the server dies in the midst of it', async () => {
    const email = newAddress('crash');
    const left = await leaveOrders(desk, await signIn(email, `stranger-${email}`));
    desk.before('finish drop', () => Promise.reject(new Error('killed')));
    await signIn(email, `owner-${email}`, true);
    expect(await desk.stateOf(left.paying.order._id)).toBe('unpaid');
    await sweepOnce(desk.deps);
    expect(await statesOf(desk, left)).toEqual(AFTER);
  });

  it('loses a race against the stranger’s payment, which stays', async () => {
    const email = newAddress('race');
    const stranger = await signIn(email, `stranger-${email}`);
    const { order, total } = await desk.unpaid({ who: stranger });
    const secret = (await desk.ask(stranger, order._id, total)).body.clientSecret;
    away = true;
    await signIn(email, `owner-${email}`, true);
    await finishMarked(desk.deps); // Ends after the sign-in's own try, which began before.
    away = false;
    later(5_100);
    const { intentId } = await desk.confirm(secret);
    await sweepOnce(desk.deps);
    expect([await desk.stateOf(order._id), await desk.count('payments', order._id)]).toEqual(['paid', 1]);
    expect((await desk.provider.findIntent(intentId))?.status).toBe('succeeded');
  });
});

describe('An address that nobody proved, held by another account', () => {
  const held = async (name: string) => {
    const email = newAddress(name);
    return { email, holder: await signIn(email, `holder-${email}`) };
  };
  const claim = async (email: string) => (await arrive(email, `next-${email}`)).status;

  // Clause C.5.4
  it('goes to the next person once its holder has not signed in for a day, without the holder’s orders', async () => {
    const { email, holder } = await held('idle');
    const { order, tool } = await desk.unpaid({ who: holder });
    ahead = 23 * HOUR;
    expect(await claim(email)).toBe(409);
    expect(await desk.stateOf(order._id)).toBe('unpaid');
    ahead = 24 * HOUR + 1000;
    expect(await claim(email)).toBe(200);
    expect([await desk.stateOf(order._id), await desk.available(tool.id)]).toEqual(['deleted', 100]);
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
    const { order, intentId } = await desk.charged({ who: holder });
    await desk.patch(holder, order._id, intentId);
    ahead = 48 * HOUR;
    expect(await claim(email)).toBe(409);
  });

  // Clause C.5.4
  it('stays with an admin', async () => {
    const { email, holder } = await held('admin');
    await desk.deps.db.update(users).set({ role: 'admin' }).where(eq(users.id, holder.id));
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
