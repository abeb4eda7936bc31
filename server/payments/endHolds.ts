import { eq, sql, type SQL } from 'drizzle-orm';
import type { Tx } from '../db/database';
import { orders } from '../db/schema';
import { holdGoesOnUntil, noHold, returnStock, type OrderRow } from '../orders/stock';
import { openAttempt, type AttemptRow } from './attempts';
import type { PaymentContext } from './context';
import { claimFrom, releaseClaim, releaseOrder, type Claim } from './releaseOrder';

interface ClaimedHold extends Claim {
  /** The hold's last moment. Orders of versions before have none: then it is over now. */
  lastAt: Date;
}

interface Selection {
  which: SQL;
  /** The hold ended because its time did. Otherwise the operator ends it, whatever the customer is doing. */
  isRunOut: boolean;
}

/** For this server alone: other servers that sweep at the same time skip it, and no payment begins. */
async function claimNext({ db, now }: PaymentContext, which: SQL): Promise<ClaimedHold | undefined> {
  const until = claimFrom(now());
  const free = sql`(${orders.deletingUntil} is null or ${orders.deletingUntil} <= ${now()})`;
  const due = db
    .select({ id: orders.id })
    .from(orders)
    .where(sql`${orders.state} = 'unpaid' and ${orders.holdsStock} and ${which} and ${free}`)
    .orderBy(orders.holdUntil)
    .limit(1)
    .for('update', { skipLocked: true });
  const [claimed] = await db
    .update(orders)
    .set({ deletingUntil: until })
    .where(sql`${orders.id} = (${due})`)
    .returning({ orderId: orders.id, lastAt: orders.holdLastAt, holdUntil: orders.holdUntil });
  if (!claimed) return undefined;
  const { orderId, lastAt, holdUntil } = claimed;
  return { orderId, until, attempt: undefined, lastAt: lastAt ?? holdUntil! };
}

/** The order stays, priced and without stock: paying takes the stock again. */
async function endHold(tx: Tx, order: OrderRow, change: Partial<typeof orders.$inferInsert>): Promise<void> {
  await tx
    .update(orders)
    .set({ ...noHold, ...change })
    .where(eq(orders.id, order.id));
  await returnStock(tx, order);
}

/** @returns until when the customer's payment keeps the hold; undefined when it does not. */
async function keptUntil({ provider, now }: PaymentContext, { intentId }: AttemptRow, lastAt: Date) {
  const intent = intentId === null ? null : await provider.findIntent(intentId);
  return intent ? holdGoesOnUntil(intent.status, lastAt, now()) : undefined;
}

/** @returns whether the hold ended */
async function endClaimed(ctx: PaymentContext, claimed: ClaimedHold, isRunOut: boolean): Promise<boolean> {
  try {
    const attempt = await openAttempt(ctx.db, claimed.orderId);
    const holdUntil = attempt && isRunOut ? await keptUntil(ctx, attempt, claimed.lastAt) : undefined;
    const change = isRunOut ? { holdEndedAt: ctx.now() } : {};
    const ending = holdUntil
      ? 'in progress'
      : await releaseOrder(ctx, { ...claimed, attempt }, 'end hold', (tx, order) => endHold(tx, order, change));
    if (ending !== 'ended') await releaseClaim(ctx, claimed, holdUntil && { holdUntil });
    return ending === 'ended';
  } catch (error) {
    await releaseClaim(ctx, claimed);
    throw error;
  }
}

interface Ended {
  ended: number;
  /** Of those that could not be ended now, the first one's. */
  trouble?: unknown;
}

/** Ends holds, each once whichever server comes first. What is being paid keeps its stock; one in trouble stops no other. */
async function endAll(ctx: PaymentContext, { which, isRunOut }: Selection, closing?: AbortSignal): Promise<Ended> {
  const left: string[] = [];
  let [ended, trouble]: [number, unknown] = [0, undefined];
  while (!closing?.aborted) {
    const unseen = left.length > 0 ? sql`${which} and ${orders.id} <> all(${sql.param(left)}::uuid[])` : which;
    const claimed = await claimNext(ctx, unseen);
    if (!claimed) break;
    const isEnded = await endClaimed(ctx, claimed, isRunOut).catch((error: unknown) => void (trouble ??= error));
    if (!isEnded) left.push(claimed.orderId);
    else {
      ended++;
      await ctx.catalog.changed('tools');
    }
  }
  return { ended, trouble };
}

/** The sweep: ends what is over. What could not be ended is tried again at the next one. */
export async function endExpiredHolds(ctx: PaymentContext): Promise<number> {
  const over = { which: sql`${orders.holdUntil} <= ${ctx.now()}`, isRunOut: true };
  const { ended, trouble } = await endAll(ctx, over, ctx.closing);
  if (trouble) ctx.log.warn({ err: trouble }, 'a hold could not be ended, and will be at the next sweep');
  return ended;
}

/** The operator's release: every unpaid hold of a tool, over or not. */
export async function releaseHolds(ctx: PaymentContext, toolId: string): Promise<number> {
  const { ended, trouble } = await endAll(ctx, { which: sql`${orders.toolId} = ${toolId}`, isRunOut: false });
  if (trouble) throw trouble;
  return ended;
}
