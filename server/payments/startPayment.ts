import { and, desc, eq, sql } from 'drizzle-orm';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Intent } from '../../src/contract/entities';
import type { CallerAccount } from '../auth/access';
import type { Tx } from '../db/database';
import { orders, paymentAttempts } from '../db/schema';
import { orderNotFound } from '../http/problems';
import { UUID } from '../http/textValidation';
import { mayHappen, throwIfRefused } from '../orders/mayHappen';
import { paymentInProgress } from '../orders/orderProblems';
import { factsOf, orderTransaction, requireFound, type LockedOrder } from '../orders/orderTransaction';
import { reserveAgain } from '../orders/reserveAgain';
import { extendedHold } from '../orders/stock';
import {
  createAttemptDraft,
  cancelOutdatedAttempt,
  createIntent,
  leaseEndAfter,
  reusableIntent,
  type AttemptRow,
} from './attempts';
import type { PaymentContext } from './context';
import { isPriceGuaranteed, readCurrentPrice, refuseOtherTotal } from './currentPrice';
import { hashNetwork, refuseAfterDeclines } from './declines';
import { noOrderOfThisTotal, paymentStarting } from './paymentProblems';
import type { PaymentIntent } from './provider';

/**
 * The next step in starting a payment:
 *
 * - `wait`: another request is creating the intent or has claimed the order.
 * - `use`: the open attempt already has an intent.
 * - `create`: this request owns the attempt and has to create its intent.
 * - `outdated`: the open attempt is at an old price and has to be ended first.
 */
type StartStep =
  | { kind: 'wait' }
  | { kind: 'use'; intentId: string }
  | { kind: 'create'; attempt: AttemptRow; isTakenOver: boolean }
  | { kind: 'outdated'; attempt: AttemptRow };

interface PaymentRequest {
  orderId: string;
  ownerId: string;
  /** The hashed network of the request, if networks are limited. */
  network: string | null;
  totalPrice: number;
}

/** If the lease has expired, its owner died, and this request takes over the attempt. */
async function continueAttempt(tx: Tx, open: AttemptRow, network: string | null, now: Date): Promise<StartStep> {
  const isThis = and(eq(paymentAttempts.orderId, open.orderId), eq(paymentAttempts.n, open.n));
  if (open.network !== network) await tx.update(paymentAttempts).set({ network }).where(isThis);
  if (open.intentId) return { kind: 'use', intentId: open.intentId };
  if (open.leaseUntil > now) return { kind: 'wait' };
  await tx
    .update(paymentAttempts)
    .set({ leaseUntil: leaseEndAfter(now) })
    .where(isThis);
  return { kind: 'create', attempt: open, isTakenOver: true };
}

async function storeAttempt(tx: Tx, draft: ReturnType<typeof createAttemptDraft>): Promise<StartStep> {
  const [attempt] = await tx.insert(paymentAttempts).values(draft).returning();
  return { kind: 'create', attempt: attempt!, isTakenOver: false };
}

/** Checks the order and its price, reserves missing stock, and continues the open attempt or stores a new one. */
async function beginLocked(
  ctx: PaymentContext,
  tx: Tx,
  locked: LockedOrder,
  { ownerId, network, totalPrice }: PaymentRequest,
): Promise<StartStep> {
  const { order, lastAttempt } = locked;
  const now = ctx.now();
  const refusal = mayHappen(factsOf(locked, now)).pay;
  if (refusal === paymentInProgress) return { kind: 'wait' };
  throwIfRefused(refusal);

  const open = lastAttempt?.state === 'open' ? lastAttempt : undefined;
  const unitPrice = await readCurrentPrice(tx, order, now);
  if (open && unitPrice !== order.unitPrice) return { kind: 'outdated', attempt: open };
  refuseOtherTotal(order, unitPrice, totalPrice);
  await refuseAfterDeclines(tx, { userId: ownerId, network }, now);

  const pricedAt = isPriceGuaranteed(order, now) ? order.pricedAt : now;
  const hold = order.holdsStock ? undefined : await reserveAgain(ctx, tx, order);
  const holdUntil = extendedHold({ ...order, ...hold }, now);
  await tx
    .update(orders)
    .set({ unitPrice, pricedAt, holdsStock: true, ...hold, holdUntil, claimedUntil: null })
    .where(eq(orders.id, order.id));
  if (open) return continueAttempt(tx, open, network, now);
  return storeAttempt(tx, createAttemptDraft(order.id, (lastAttempt?.n ?? 0) + 1, network, totalPrice, now));
}

async function begin(ctx: PaymentContext, request: PaymentRequest): Promise<StartStep> {
  const { orderId, ownerId } = request;
  let mayHaveTakenStock = false;
  const step = await orderTransaction(
    ctx.db,
    orderId,
    async (tx, found) => {
      const locked = requireFound(found, ownerId);
      mayHaveTakenStock = !locked.order.holdsStock;
      return beginLocked(ctx, tx, locked, request);
    },
    ownerId,
  );
  if (mayHaveTakenStock) await ctx.catalog.reportChange('tools');
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
  const step = await begin(ctx, request);
  if (step.kind === 'use') return reusableIntent(ctx, step.intentId);
  if (step.kind === 'create') return createIntent(ctx, step.attempt, step.isTakenOver);
  if (step.kind === 'outdated') await cancelOutdatedAttempt(ctx, step.attempt);
  if (step.kind === 'wait' || !step.attempt.intentId) await sleep(RETRY_DELAY_MS);
  return undefined;
}

/** Returns the only intent with which the order can be paid. Concurrent requests get the same one. */
export async function startPayment(
  ctx: PaymentContext,
  user: CallerAccount,
  { orderId: givenId, totalPrice, address }: { orderId: string | undefined; totalPrice: number; address: string },
): Promise<Intent> {
  const orderId = await findOrderId(ctx, user, givenId, totalPrice);
  const request = { orderId, ownerId: user.id, network: hashNetwork(ctx, address), totalPrice };
  const deadline = performance.now() + MAX_START_WAIT_MS;
  while (performance.now() < deadline) {
    const intent = await tryToStart(ctx, request);
    if (!intent?.clientSecret) continue;
    const { clientSecret, amountCents: amount, currency } = intent;
    return { clientSecret, order: orderId, amount, currency };
  }
  throw paymentStarting();
}
