import { and, desc, eq, ne } from 'drizzle-orm';
import type { Caller } from '../auth/access';
import type { Tx } from '../db/database';
import { orders, paymentAttempts } from '../db/schema';
import type { Deps } from '../deps';
import { orderNotFound } from '../http/problems';
import { orderPaid, orderUnpriced } from '../orders/orderProblems';
import { retakeStock } from '../orders/stock';
import { retried } from '../db/retryConflicts';
import type { OrderRow } from '../orders/stock';
import { attemptDraft, leaseFrom, type Attempt } from './attemptDraft';
import { withPriceToPay } from './payability';
import { refuseAfterDeclines } from './declines';
import { firstAttempt } from './firstAttempt';
import { centsOf } from './money';

type AttemptRow = typeof paymentAttempts.$inferSelect;

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
  const draft = attemptDraft(order.id, n, centsOf(order)!, now);
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
async function beginAnyhow(deps: Deps, user: Caller, id: string, totalPrice: number): Promise<Step> {
  let tookStock = false;
  const step = await retried(() =>
    deps.db.transaction(async (tx): Promise<Step> => {
      const found = await lockedOrder(tx, user, id);
      const now = deps.now();
      if (found.deletingUntil && found.deletingUntil > now) return { kind: 'wait' };
      const attempts = await attemptsOf(tx, found);
      const open = attempts.find(({ state }) => state === 'open');
      const order = await withPriceToPay(tx, found, totalPrice, { hasOpenAttempt: open !== undefined, now });
      if (!order) return { kind: 'outdated', attempt: open! };
      refuseAfterDeclines(attempts, now);
      tookStock = await retakeStock(tx, deps, order);
      return stepOf(tx, order, attempts, now);
    }),
  );
  if (tookStock) await deps.catalogue.changed('tools');
  return step;
}

/** Everything that must hold before the provider is asked. */
export async function begin(deps: Deps, user: Caller, id: string, totalPrice: number): Promise<Step> {
  await deps.before('begin payment');
  const attempt = await firstAttempt(deps, user, id, totalPrice);
  return attempt ? { kind: 'make', attempt, takenOver: false } : beginAnyhow(deps, user, id, totalPrice);
}
