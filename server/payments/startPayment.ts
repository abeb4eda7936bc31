import { and, desc, eq, ne, sql } from 'drizzle-orm';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Intent } from '../../src/contract/entities';
import { CURRENCY } from '../../src/contract/limits';
import type { Caller } from '../auth/access';
import type { Tx } from '../db/database';
import { retried } from '../db/retryConflicts';
import { orders, paymentAttempts } from '../db/schema';
import { orderNotFound } from '../http/problems';
import { UUID } from '../http/textValidation';
import { orderPaid, orderUnpriced } from '../orders/orderProblems';
import { PAYING_MS, retakeStock, type OrderRow } from '../orders/stock';
import {
  attemptDraft,
  cancelOutdated,
  createIntent,
  leaseFrom,
  reusableIntent,
  type Attempt,
  type AttemptRow,
} from './attempts';
import type { PaymentContext } from './context';
import { refuseAfterDeclines } from './declines';
import { oldestKeptPrice, totalOf, withPriceToPay } from './payability';
import { noOrderOfThisTotal } from './paymentProblems';
import { PaymentProviderDown, type PaymentIntent } from './provider';

/**
 * The usual way to begin: nobody has tried to pay this order yet, its stock is held and its price is not old. The
 * statement waits for a concurrent change of the order, and then makes nothing here.
 */
const BEGIN = {
  name: 'begin first payment',
  text: `
with held as (
  update orders set hold_until = greatest(hold_until, least($4, coalesce(hold_last_at, hold_until))), deleting_until = null
  where id = $1 and owner_id = $2 and state = 'unpaid' and holds_stock and unit_price::bigint * quantity = $3
    and (deleting_until is null or deleting_until <= $5)
    and coalesce(priced_at, created_at) > $11
    and not exists (select from payment_attempts where order_id = $1)
  returning id
)
insert into payment_attempts (order_id, n, idempotency_key, amount_cents, currency, lease_until)
select id, $6, $7, $8, $9, $10 from held
on conflict do nothing
returning created_at as "createdAt"`,
};

/** Undefined: there is more to look at. */
export async function firstAttempt(
  { db, now }: PaymentContext,
  user: Caller,
  id: string,
  totalPrice: number,
): Promise<Attempt | undefined> {
  const draft = attemptDraft(id, 1, totalPrice, now());
  const { n, idempotencyKey, amountCents, leaseUntil } = draft;
  const held = [id, user.id, totalPrice, new Date(now().getTime() + PAYING_MS), now()];
  const values = [...held, n, idempotencyKey, amountCents, CURRENCY, leaseUntil, oldestKeptPrice(now())];
  const { rows } = await retried(() => db.$client.query<Pick<Attempt, 'createdAt'>>({ ...BEGIN, values }));
  return rows[0] && { ...draft, ...rows[0] };
}

/**
 * Wait: somebody else is at it. Use: it has its intent. Make: it is ours to make the intent for. Outdated: the tool has
 * another price by now, and the attempt must end before anything else.
 */
export type Step =
  | { kind: 'wait' }
  | { kind: 'use'; attempt: Attempt; intentId: string }
  | { kind: 'make'; attempt: Attempt; takenOver: boolean }
  | { kind: 'outdated'; attempt: AttemptRow };

async function nextAttempt(tx: Tx, order: OrderRow, n: number, now: Date): Promise<Attempt> {
  const draft = attemptDraft(order.id, n, totalOf(order)!, now);
  const [attempt] = await tx.insert(paymentAttempts).values(draft).returning();
  return attempt!;
}

const attemptsOf = (tx: Tx, order: OrderRow): Promise<AttemptRow[]> =>
  tx.select().from(paymentAttempts).where(eq(paymentAttempts.orderId, order.id)).orderBy(desc(paymentAttempts.n));

async function stepOf(tx: Tx, order: OrderRow, attempts: AttemptRow[], now: Date): Promise<Step> {
  const open = attempts.find(({ state }) => state === 'open');
  const n = (attempts[0]?.n ?? 0) + 1;
  if (!open) return { kind: 'make', attempt: await nextAttempt(tx, order, n, now), takenOver: false };
  if (open.intentId) return { kind: 'use', attempt: open, intentId: open.intentId };
  if (open.leaseUntil > now) return { kind: 'wait' };
  await tx
    .update(paymentAttempts)
    .set({ leaseUntil: leaseFrom(now) })
    .where(and(eq(paymentAttempts.orderId, order.id), eq(paymentAttempts.n, open.n)));
  return { kind: 'make', attempt: open, takenOver: true };
}

const mine = (user: Caller, id: string) =>
  and(eq(orders.id, id), eq(orders.ownerId, user.id), ne(orders.state, 'deleted'));

async function lockedOrder(tx: Tx, user: Caller, id: string): Promise<OrderRow> {
  const [order] = await tx.select().from(orders).where(mine(user, id)).for('update');
  if (!order) throw orderNotFound();
  if (order.state === 'paid') throw orderPaid();
  if (order.unitPrice === null) throw orderUnpriced();
  return order;
}

/** In one transaction that has the order to itself. */
async function beginAnyhow(ctx: PaymentContext, user: Caller, id: string, totalPrice: number): Promise<Step> {
  let tookStock = false;
  const step = await retried(() =>
    ctx.db.transaction(async (tx): Promise<Step> => {
      const found = await lockedOrder(tx, user, id);
      const now = ctx.now();
      if (found.deletingUntil && found.deletingUntil > now) return { kind: 'wait' };
      const attempts = await attemptsOf(tx, found);
      const open = attempts.find(({ state }) => state === 'open');
      const order = await withPriceToPay(tx, found, totalPrice, { hasOpenAttempt: open !== undefined, now });
      if (!order) return { kind: 'outdated', attempt: open! };
      refuseAfterDeclines(attempts, now);
      tookStock = await retakeStock(tx, ctx, order);
      return stepOf(tx, order, attempts, now);
    }),
  );
  if (tookStock) await ctx.catalogue.changed('tools');
  return step;
}

/** Everything that must hold before the provider is asked. */
export async function begin(ctx: PaymentContext, user: Caller, id: string, totalPrice: number): Promise<Step> {
  await ctx.checkpoint('begin payment');
  const attempt = await firstAttempt(ctx, user, id, totalPrice);
  return attempt ? { kind: 'make', attempt, takenOver: false } : beginAnyhow(ctx, user, id, totalPrice);
}

const PATIENCE_MS = 5_000;
const LOOK_AGAIN_MS = 100;

export interface Wanted {
  orderId: string | undefined;
  totalPrice: number;
}

/** Without an order's id: the caller's newest unpaid one of exactly this total. */
async function whichOrder({ db }: PaymentContext, user: Caller, { orderId, totalPrice }: Wanted): Promise<string> {
  if (orderId !== undefined) {
    if (!UUID.test(orderId)) throw orderNotFound();
    return orderId.toLowerCase();
  }
  const [newest] = await db
    .select({ id: orders.id })
    .from(orders)
    .where(
      and(
        eq(orders.ownerId, user.id),
        eq(orders.state, 'unpaid'),
        sql`${orders.unitPrice}::bigint * ${orders.quantity} = ${totalPrice}::bigint`,
      ),
    )
    .orderBy(desc(orders.position))
    .limit(1);
  if (!newest) throw noOrderOfThisTotal();
  return newest.id;
}

async function tryOnce(
  ctx: PaymentContext,
  user: Caller,
  id: string,
  totalPrice: number,
): Promise<PaymentIntent | undefined> {
  const step = await begin(ctx, user, id, totalPrice);
  if (step.kind === 'use') return reusableIntent(ctx, step.attempt, step.intentId);
  if (step.kind === 'make') return createIntent(ctx, step.attempt, step.takenOver);
  if (step.kind === 'outdated') await cancelOutdated(ctx, step.attempt);
  if (step.kind === 'wait' || !step.attempt.intentId) await sleep(LOOK_AGAIN_MS);
  return undefined;
}

/** The one live intent of an order, however many ask for it at once. */
export async function openPayment(ctx: PaymentContext, user: Caller, wanted: Wanted): Promise<Intent> {
  const id = await whichOrder(ctx, user, wanted);
  const until = performance.now() + PATIENCE_MS;
  while (performance.now() < until) {
    const intent = await tryOnce(ctx, user, id, wanted.totalPrice);
    if (!intent?.clientSecret) continue;
    await ctx.checkpoint('answer intent');
    const { clientSecret, amount, currency } = intent;
    return { clientSecret, order: id, amount, currency };
  }
  throw new PaymentProviderDown();
}
