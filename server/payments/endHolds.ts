import { and, eq, sql, type SQL } from 'drizzle-orm';
import { retried } from '../db/retryConflicts';
import { orders } from '../db/schema';
import { holdGoesOnUntil, noHold, returnStock } from '../orders/stock';
import { cancelAttempt, closeAttempt, openAttempt, type AttemptRow } from './attempts';
import type { PaymentContext } from './context';

const CLAIM_MS = 60_000;

interface Claimed {
  id: string;
  claim: Date;
  /** The hold's last moment. Orders of versions before have none: then it is over now. */
  lastAt: Date;
}

interface Selection {
  which: SQL;
  /** The hold ended because its time did. Otherwise the operator ends it, whatever the customer is doing. */
  isRunOut: boolean;
}

/** For this server alone: whoever sweeps at the same time passes over it, and no payment begins. */
async function claimNext({ db, now }: PaymentContext, which: SQL): Promise<Claimed | undefined> {
  const claim = new Date(now().getTime() + CLAIM_MS);
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
    .set({ deletingUntil: claim })
    .where(sql`${orders.id} = (${due})`)
    .returning({ id: orders.id, lastAt: orders.holdLastAt, until: orders.holdUntil });
  return claimed && { id: claimed.id, claim, lastAt: claimed.lastAt ?? claimed.until! };
}

const stillOurs = (id: string, claim: Date) =>
  and(eq(orders.id, id), eq(orders.deletingUntil, claim), eq(orders.state, 'unpaid'));

/** The order stays, priced and without stock: paying takes the stock again. False: it was paid meanwhile. */
async function release(
  { db, checkpoint, now }: PaymentContext,
  { id, claim }: Claimed,
  isRunOut: boolean,
): Promise<boolean> {
  const ended = { ...noHold, ...(isRunOut && { holdEndedAt: now() }) };
  await checkpoint('end hold');
  return retried(() =>
    db.transaction(async (tx) => {
      const [order] = await tx.select().from(orders).where(stillOurs(id, claim)).for('update');
      if (!order) return false;
      const attempt = await openAttempt(tx, id);
      if (attempt) await closeAttempt(tx, attempt);
      await tx.update(orders).set(ended).where(eq(orders.id, id));
      await returnStock(tx, order);
      return true;
    }),
  );
}

/** @returns until when the customer's payment keeps the hold; undefined when it does not. */
async function keptUntil({ provider, now }: PaymentContext, { intentId }: AttemptRow, lastAt: Date) {
  const intent = intentId === null ? null : await provider.findIntent(intentId);
  return intent ? holdGoesOnUntil(intent.status, lastAt, now()) : undefined;
}

async function endHold(ctx: PaymentContext, claimed: Claimed, isRunOut: boolean): Promise<boolean> {
  const giveBack = async (change: Partial<typeof orders.$inferInsert> = {}) => {
    await ctx.db
      .update(orders)
      .set({ deletingUntil: null, ...change })
      .where(stillOurs(claimed.id, claimed.claim));
    return false;
  };
  try {
    const attempt = await openAttempt(ctx.db, claimed.id);
    const holdUntil = attempt && isRunOut ? await keptUntil(ctx, attempt, claimed.lastAt) : undefined;
    if (holdUntil) return await giveBack({ holdUntil });
    const isEnded = !attempt || (await cancelAttempt(ctx, attempt)) === 'ended';
    return isEnded ? await release(ctx, claimed, isRunOut) : await giveBack();
  } catch (error) {
    await giveBack();
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
    const isEnded = await endHold(ctx, claimed, isRunOut).catch((error: unknown) => void (trouble ??= error));
    if (!isEnded) left.push(claimed.id);
    else {
      ended++;
      await ctx.catalogue.changed('tools');
    }
  }
  return { ended, trouble };
}

/** The sweep: ends what is over. What could not be ended is tried again at the next one. */
export async function endHolds(ctx: PaymentContext): Promise<number> {
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
