import { and, eq, ne, sql } from 'drizzle-orm';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAdmin, type Caller } from '../auth/access';
import type { Tx } from '../db/database';
import { retried } from '../db/retryConflicts';
import { orderCounts, orders } from '../db/schema';
import { orderNotFound } from '../http/problems';
import { UUID } from '../http/textValidation';
import { orderPaid, paymentInProgress } from '../orders/orderProblems';
import { noHold, returnStock, type OrderRow } from '../orders/stock';
import { cancelAttempt, closeAttempt, openAttempt } from './attempts';
import type { PaymentContext } from './context';

const CLAIM_MS = 60_000;
const PATIENCE_MS = 5_000;
const LOOK_AGAIN_MS = 100;

const mine = (user: Caller, id: string) =>
  and(eq(orders.id, id), ne(orders.state, 'deleted'), isAdmin(user) ? undefined : eq(orders.ownerId, user.id));

async function lockedOrder(tx: Tx, user: Caller, id: string): Promise<OrderRow> {
  const [order] = await tx.select().from(orders).where(mine(user, id)).for('update');
  if (!order) throw orderNotFound();
  if (order.state === 'paid') throw orderPaid();
  return order;
}

/** A tombstone stays, so that money which comes late still finds what it was for. */
export async function bury(tx: Tx, order: OrderRow, at: Date): Promise<'deleted'> {
  await tx
    .update(orders)
    .set({ ...noHold, state: 'deleted', deletedAt: at })
    .where(eq(orders.id, order.id));
  await returnStock(tx, order);
  await tx
    .update(orderCounts)
    .set({ n: sql`${orderCounts.n} - 1` })
    .where(eq(orderCounts.shard, 0));
  return 'deleted';
}

/** Deletes at once what nobody is paying; else claims it, so that no payment begins while the intent is cancelled. */
function deleteOrClaim({ db, now, checkpoint }: PaymentContext, user: Caller, id: string) {
  return retried(async () => {
    await checkpoint('delete order');
    return db.transaction(async (tx) => {
      const order = await lockedOrder(tx, user, id);
      if (order.deletingUntil && order.deletingUntil > now()) return 'busy';
      const attempt = await openAttempt(tx, id);
      if (!attempt) return bury(tx, order, now());
      const claim = new Date(now().getTime() + CLAIM_MS);
      await tx.update(orders).set({ deletingUntil: claim }).where(eq(orders.id, id));
      return { attempt, claim };
    });
  });
}

type Claimed = Exclude<Awaited<ReturnType<typeof deleteOrClaim>>, string>;

const unclaim = ({ db }: PaymentContext, { attempt, claim }: Claimed) =>
  db
    .update(orders)
    .set({ deletingUntil: null })
    .where(and(eq(orders.id, attempt.orderId), eq(orders.deletingUntil, claim)));

/** 'busy': while the provider was asked, the claim went over to somebody else. */
async function finish({ db, now, checkpoint }: PaymentContext, user: Caller, { attempt, claim }: Claimed) {
  await checkpoint('finish delete');
  return retried(() =>
    db.transaction(async (tx) => {
      const order = await lockedOrder(tx, user, attempt.orderId);
      if (order.deletingUntil?.getTime() !== claim.getTime()) return 'busy';
      await closeAttempt(tx, attempt);
      return bury(tx, order, now());
    }),
  );
}

async function endAndFinish(ctx: PaymentContext, user: Caller, claimed: Claimed) {
  try {
    const ending = await cancelAttempt(ctx, claimed.attempt);
    if (ending === 'ended') return await finish(ctx, user, claimed);
    throw ending === 'paid' ? orderPaid() : paymentInProgress();
  } catch (error) {
    await unclaim(ctx, claimed);
    throw error;
  }
}

/** Own unpaid orders (admins: any): the intent is cancelled first, then the stock returns. */
export async function deleteUnpaid(ctx: PaymentContext, user: Caller, id: string): Promise<void> {
  if (!UUID.test(id)) throw orderNotFound();
  for (let waited = 0; waited < PATIENCE_MS; waited += LOOK_AGAIN_MS) {
    const begun = await deleteOrClaim(ctx, user, id);
    const result = typeof begun === 'string' ? begun : await endAndFinish(ctx, user, begun);
    if (result === 'deleted') return ctx.catalogue.changed('tools');
    await sleep(LOOK_AGAIN_MS);
  }
  throw paymentInProgress();
}
