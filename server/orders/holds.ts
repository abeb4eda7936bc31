import { and, eq, inArray, sql, type SQL } from 'drizzle-orm';
import { orders } from '../db/schema';
import type { Bookkeeping } from '../deps';
import { PaymentProviderDown } from '../providers/payments';
import { closeAttempt, endIntent, openAttempt, type Ending } from './endIntent';
import { retried } from './retry';
import { noHold, returnStock } from './stock';

const BATCH = 20;
const CLAIM_MS = 60_000;
const PAYING_MS = 600_000;

interface Claimed {
  ids: string[];
  claim: Date;
}

/** For this server alone: whoever sweeps at the same time passes over these, and no payment begins. */
async function claimSome({ db, now }: Bookkeeping, which: SQL): Promise<Claimed> {
  const claim = new Date(now().getTime() + CLAIM_MS);
  const free = sql`(${orders.deletingUntil} is null or ${orders.deletingUntil} <= ${now()})`;
  const due = db
    .select({ id: orders.id })
    .from(orders)
    .where(sql`${orders.state} = 'unpaid' and ${orders.holdsStock} and ${which} and ${free}`)
    .orderBy(orders.holdUntil)
    .limit(BATCH)
    .for('update', { skipLocked: true });
  const rows = await db
    .update(orders)
    .set({ deletingUntil: claim })
    .where(inArray(orders.id, due))
    .returning({ id: orders.id });
  return { ids: rows.map(({ id }) => id), claim };
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

/** Ends holds, each once whichever server comes first. What is being paid keeps its stock. */
async function endAll(deps: Bookkeeping, which: SQL): Promise<number> {
  const seen: string[] = [];
  let ended = 0;
  for (;;) {
    const unseen = seen.length > 0 ? sql`${which} and ${orders.id} <> all(${sql.param(seen)}::uuid[])` : which;
    const { ids, claim } = await claimSome(deps, unseen);
    if (ids.length === 0) return ended;
    for (const id of ids) {
      if (await endHold(deps, id, claim)) ended++;
      else seen.push(id);
    }
    await deps.catalogue.changed('tools');
  }
}

/** The sweep: ends what is over. A provider that does not answer is asked again at the next one. */
export async function endHolds(deps: Bookkeeping): Promise<number> {
  try {
    return await endAll(deps, sql`${orders.holdUntil} <= ${deps.now()}`);
  } catch (error) {
    if (error instanceof PaymentProviderDown) return 0;
    throw error;
  }
}

/** The operator's release: every unpaid hold of a tool, over or not. */
export const releaseHolds = (deps: Bookkeeping, toolId: string): Promise<number> =>
  endAll(deps, sql`${orders.toolId} = ${toolId}`);
