import { and, desc, eq, sql } from 'drizzle-orm';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Intent } from '../../src/contract/entities';
import { CENTS_PER_DOLLAR } from '../../src/contract/limits';
import type { CallerAccount } from '../auth/access';
import type { Db, Tx } from '../db/database';
import { withTransactionRetry } from '../db/retryConflicts';
import { userTransaction } from '../db/userTransaction';
import { orders, paymentAttempts } from '../db/schema';
import { orderNotFound } from '../http/problems';
import { UUID } from '../http/textValidation';
import { orderPaid, orderRefunded, orderUnpriced } from '../orders/orderProblems';
import { reserveAgain } from '../orders/reserveAgain';
import { extendedHoldSql, extendHold } from '../orders/stock';
import {
  createAttemptDraft,
  cancelOutdatedAttempt,
  createIntent,
  leaseEndAfter,
  reusableIntent,
  type PaymentAttempt,
  type AttemptRow,
} from './attempts';
import type { PaymentContext } from './context';
import { refuseAfterDeclines } from './declines';
import {
  acceptCurrentPrice,
  isPriceGuaranteed,
  isNotBeingDeleted,
  lockForPayment,
  reasonNotPayable,
  type LockedOrder,
} from './payability';
import { noOrderOfThisTotal } from './paymentProblems';
import { PaymentProviderDown, type PaymentIntent } from './provider';

/**
 * The next step in starting a payment:
 *
 * - `wait`: another request is creating the intent or has claimed the order.
 * - `use`: the open attempt already has an intent.
 * - `create`: this request owns the attempt and has to create its intent.
 * - `outdated`: the open attempt is at an old price and has to be ended first.
 */
export type StartStep =
  | { kind: 'wait' }
  | { kind: 'use'; attempt: PaymentAttempt; intentId: string }
  | { kind: 'create'; attempt: PaymentAttempt; isTakenOver: boolean }
  | { kind: 'outdated'; attempt: AttemptRow };

export interface PaymentRequest {
  orderId: string;
  ownerId: string;
  totalPrice: number;
}

/**
 * If the order can be paid, stores the attempt `n` and extends the hold. Outside of a transaction, this is the fast
 * path for the first attempt. If another transaction is changing the order, the statement waits and then checks the
 * changed row.
 */
async function storeAttempt(
  db: Db | Tx,
  { orderId, ownerId, totalPrice }: PaymentRequest,
  n: number,
  now: Date,
): Promise<PaymentAttempt | undefined> {
  const draft = createAttemptDraft(orderId, n, totalPrice, now);
  const { rows } = await db.execute<{ createdAt: string }>(sql`
with extended_hold as (
  update orders o set hold_until = ${extendedHoldSql(now)}, deleting_until = null
  where o.id = ${orderId} and o.owner_id = ${ownerId} and ${reasonNotPayable(draft.amountCents)} is null
    and ${isNotBeingDeleted(now)} and ${isPriceGuaranteed(now)}
    and not exists (select from payment_attempts a where a.order_id = o.id and a.n >= ${n})
  returning o.id
)
insert into payment_attempts (order_id, n, idempotency_key, amount_cents, currency, lease_until)
select id, ${n}, ${draft.idempotencyKey}, ${draft.amountCents}, ${draft.currency}, ${draft.leaseUntil}
from extended_hold
on conflict do nothing
returning created_at as "createdAt"`);
  return rows[0] && { ...draft, createdAt: new Date(rows[0].createdAt) };
}

/** @returns undefined if the fast path does not apply, so that a transaction is needed */
export async function beginInOneStatement(
  { db, now }: PaymentContext,
  request: PaymentRequest,
): Promise<StartStep | undefined> {
  const attempt = await withTransactionRetry(() => storeAttempt(db, request, 1, now()));
  return attempt && { kind: 'create', attempt, isTakenOver: false };
}

/** @throws if the order can never be paid, even at another price or with enough stock */
function refuseUnpayable(found: LockedOrder | undefined): LockedOrder {
  if (!found || found.reason === 'deleted') throw orderNotFound();
  if (found.reason === 'paid') throw orderPaid();
  if (found.reason === 'refunded') throw orderRefunded();
  if (found.reason === 'unpriced') throw orderUnpriced();
  return found;
}

const selectAttempts = (tx: Tx, orderId: string): Promise<AttemptRow[]> =>
  tx.select().from(paymentAttempts).where(eq(paymentAttempts.orderId, orderId)).orderBy(desc(paymentAttempts.n));

/**
 * Uses the open attempt's intent, or waits for it. If the lease has expired, its owner died, and this request takes
 * over the attempt.
 */
async function continueAttempt(tx: Tx, open: AttemptRow, now: Date): Promise<StartStep> {
  if (open.intentId) return { kind: 'use', attempt: open, intentId: open.intentId };
  if (open.leaseUntil > now) return { kind: 'wait' };
  await tx
    .update(paymentAttempts)
    .set({ leaseUntil: leaseEndAfter(now) })
    .where(and(eq(paymentAttempts.orderId, open.orderId), eq(paymentAttempts.n, open.n)));
  return { kind: 'create', attempt: open, isTakenOver: true };
}

/** Checks the price, reserves missing stock, and then continues the open attempt or stores a new one. */
async function beginLocked(
  ctx: PaymentContext,
  tx: Tx,
  request: PaymentRequest,
): Promise<{ step: StartStep; stockTaken: boolean }> {
  const { orderId, ownerId, totalPrice } = request;
  const now = ctx.now();
  const found = refuseUnpayable(
    await lockForPayment(tx, orderId, { cents: totalPrice * CENTS_PER_DOLLAR, now }, ownerId),
  );
  const { order } = found;
  if (!found.isNotBeingDeleted) return { step: { kind: 'wait' }, stockTaken: false };
  const attempts = await selectAttempts(tx, orderId);
  const open = attempts.find(({ state }) => state === 'open');
  if (!(await acceptCurrentPrice(tx, found, { totalPrice, hasOpenAttempt: open !== undefined, now })))
    return { step: { kind: 'outdated', attempt: open! }, stockTaken: false };
  refuseAfterDeclines(attempts, now);
  const stockTaken = !order.holdsStock;
  if (stockTaken) await reserveAgain(ctx, tx, order);
  if (open) {
    await extendHold(tx, order, now);
    return { step: await continueAttempt(tx, open, now), stockTaken };
  }
  const attempt = await storeAttempt(tx, request, (attempts[0]?.n ?? 0) + 1, now);
  return { step: { kind: 'create', attempt: attempt!, isTakenOver: false }, stockTaken };
}

export async function beginInTransaction(ctx: PaymentContext, request: PaymentRequest): Promise<StartStep> {
  const { step, stockTaken } = await withTransactionRetry(() =>
    userTransaction(ctx.db, request.ownerId, (tx) => beginLocked(ctx, tx, request)),
  );
  if (stockTaken) await ctx.catalog.reportChange('tools');
  return step;
}

const MAX_START_WAIT_MS = 5_000;
const RETRY_DELAY_MS = 100;

/** Without an order id, the specification's call means the caller's newest unpaid order with exactly this total. */
async function findOrderId(
  { db }: PaymentContext,
  user: CallerAccount,
  orderId: string | undefined,
  totalPrice: number,
): Promise<string> {
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

async function tryToStart(ctx: PaymentContext, request: PaymentRequest): Promise<PaymentIntent | undefined> {
  await ctx.checkpoint('begin payment');
  const step = (await beginInOneStatement(ctx, request)) ?? (await beginInTransaction(ctx, request));
  if (step.kind === 'use') return reusableIntent(ctx, step.attempt, step.intentId);
  if (step.kind === 'create') return createIntent(ctx, step.attempt, step.isTakenOver);
  if (step.kind === 'outdated') await cancelOutdatedAttempt(ctx, step.attempt);
  if (step.kind === 'wait' || !step.attempt.intentId) await sleep(RETRY_DELAY_MS);
  return undefined;
}

/** Returns the only intent with which the order can be paid. Concurrent requests get the same one. */
export async function startPayment(
  ctx: PaymentContext,
  user: CallerAccount,
  { orderId: givenId, totalPrice }: { orderId: string | undefined; totalPrice: number },
): Promise<Intent> {
  const orderId = await findOrderId(ctx, user, givenId, totalPrice);
  const deadline = performance.now() + MAX_START_WAIT_MS;
  while (performance.now() < deadline) {
    const intent = await tryToStart(ctx, { orderId, ownerId: user.id, totalPrice });
    if (!intent?.clientSecret) continue;
    await ctx.checkpoint('answer intent');
    const { clientSecret, amountCents: amount, currency } = intent;
    return { clientSecret, order: orderId, amount, currency };
  }
  throw new PaymentProviderDown();
}
