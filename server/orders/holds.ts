import { and, eq, sql, type SQL } from 'drizzle-orm';
import { orders } from '../db/schema';
import type { Bookkeeping } from '../deps';
import { closeAttempt, endIntent, openAttempt, type Ending } from './endIntent';
import { retried } from './retry';
import { noHold, returnStock } from './stock';

const CLAIM_MS = 60_000;
const PAYING_MS = 600_000;

/** For this server alone: whoever sweeps at the same time passes over it, and no payment begins. */
async function claimNext({ db, now }: Bookkeeping, which: SQL): Promise<{ id: string; claim: Date } | undefined> {
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
    .returning({ id: orders.id });
  return claimed && { ...claimed, claim };
}

const stillOurs = (id: string, claim: Date) =>
  and(eq(orders.id, id), eq(orders.deletingUntil, claim), eq(orders.state, 'unpaid'));

/** The order stays, priced and without stock: paying takes the stock again. False: it was paid meanwhile. */
async function release({ db, before }: Bookkeeping, id: string, claim: Date): Promise<boolean> {
  await before('end hold');
  return retried(() =>
    db.transaction(async (tx) => {
      const [order] = await tx.select().from(orders).where(stillOurs(id, claim)).for('update');
      if (!order) return false;
      const attempt = await openAttempt(tx, id);
      if (attempt) await closeAttempt(tx, attempt);
      await tx.update(orders).set(noHold).where(eq(orders.id, id));
      await returnStock(tx, order);
      return true;
    }),
  );
}

async function endHold(deps: Bookkeeping, id: string, claim: Date): Promise<boolean> {
  const giveBack = (change: Partial<typeof orders.$inferInsert>) =>
    deps.db
      .update(orders)
      .set({ deletingUntil: null, ...change })
      .where(stillOurs(id, claim));
  try {
    const attempt = await openAttempt(deps.db, id);
    const ending: Ending = attempt ? await endIntent(deps, attempt) : 'ended';
    if (ending === 'ended') return await release(deps, id, claim);
    await giveBack({ holdUntil: new Date(deps.now().getTime() + PAYING_MS) });
    return false;
  } catch (error) {
    await giveBack({});
    throw error;
  }
}

interface Ended {
  ended: number;
  /** Of those that could not be ended now, the first one's. */
  trouble?: unknown;
}

/** Ends holds, each once whichever server comes first. What is being paid keeps its stock; one in trouble stops no other. */
async function endAll(deps: Bookkeeping, which: SQL, closing?: AbortSignal): Promise<Ended> {
  const left: string[] = [];
  let [ended, trouble]: [number, unknown] = [0, undefined];
  while (!closing?.aborted) {
    const unseen = left.length > 0 ? sql`${which} and ${orders.id} <> all(${sql.param(left)}::uuid[])` : which;
    const claimed = await claimNext(deps, unseen);
    if (!claimed) break;
    const { id, claim } = claimed;
    const isEnded = await endHold(deps, id, claim).catch((error: unknown) => void (trouble ??= error));
    if (!isEnded) left.push(id);
    else {
      ended++;
      await deps.catalogue.changed('tools');
    }
  }
  return { ended, trouble };
}

/** The sweep: ends what is over. What could not be ended is tried again at the next one. */
export async function endHolds(deps: Bookkeeping & { closing?: AbortSignal }): Promise<number> {
  const { ended, trouble } = await endAll(deps, sql`${orders.holdUntil} <= ${deps.now()}`, deps.closing);
  if (trouble) deps.log.warn({ err: trouble }, 'a hold could not be ended, and will be at the next sweep');
  return ended;
}

/** The operator's release: every unpaid hold of a tool, over or not. */
export async function releaseHolds(deps: Bookkeeping, toolId: string): Promise<number> {
  const { ended, trouble } = await endAll(deps, sql`${orders.toolId} = ${toolId}`);
  if (trouble) throw trouble;
  return ended;
}
