import { eq, sql } from 'drizzle-orm';
import { LOCK } from '../db/advisoryLocks';
import type { Db } from '../db/database';
import { demoReviews } from './reviews';
import { demoTools } from './tools';
import { orders, reviews, tools } from '../db/schema';

/** Into an empty database only: a shop that has tools of its own is left as it is. */
export async function seedDemo(db: Db): Promise<boolean> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${LOCK.demo})`);
    const [found] = await tx.select({ id: tools.id }).from(tools).limit(1);
    if (found) return false;
    await tx
      .insert(tools)
      .values(demoTools.map((tool) => ({ ...tool, stockedQuantity: tool.availableQuantity, demo: true })));
    await tx.insert(reviews).values([...demoReviews].reverse().map((review) => ({ ...review, demo: true })));
    return true;
  });
}

export async function sellsDemoTools(db: Db): Promise<boolean> {
  const [found] = await db.select({ id: tools.id }).from(tools).where(eq(tools.demo, true)).limit(1);
  return found !== undefined;
}

/** Takes the demo's tools and reviews out; a tool that someone ordered stays for its orders alone, and is said. */
export async function clearDemo(db: Db): Promise<{ tools: number; reviews: number; kept: string[] }> {
  return db.transaction(async (tx) => {
    const gone = await tx
      .delete(tools)
      .where(sql`${tools.demo} and not exists (select 1 from ${orders} where ${orders.toolId} = ${tools.id})`)
      .returning({ id: tools.id });
    const kept = await tx
      .update(tools)
      .set({
        demo: false,
        stockedQuantity: sql`${tools.stockedQuantity} - ${tools.availableQuantity}`,
        availableQuantity: 0,
      })
      .where(eq(tools.demo, true))
      .returning({ name: tools.name });
    const told = await tx.delete(reviews).where(eq(reviews.demo, true)).returning({ id: reviews.id });
    return { tools: gone.length, reviews: told.length, kept: kept.map(({ name }) => name) };
  });
}
