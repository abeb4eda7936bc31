import { eq, sql } from 'drizzle-orm';
import type { Db } from '../db/database';
import { lockInTransaction } from '../db/locks';
import { demoReviews } from './reviews';
import { specificationsOf } from './specifications';
import { demoTools } from './tools';
import { orders, reviews, tools } from '../db/schema';

/**
 * Inserts the demo data if the database has no tools.
 * @returns whether the data were inserted
 */
export async function seedDemo(db: Db): Promise<boolean> {
  return db.transaction(async (tx) => {
    await lockInTransaction(tx, 'demo');
    const [existingTool] = await tx.select({ id: tools.id }).from(tools).limit(1);
    if (existingTool) return false;
    const added = await tx
      .insert(tools)
      .values(
        demoTools.map((tool) => ({
          ...tool,
          description: [tool.description, ...specificationsOf(tool.img)].join('\n'),
          stockedQuantity: tool.availableQuantity,
          demo: true,
        })),
      )
      .returning({ id: tools.id, name: tools.name });
    const ids = new Map(added.map(({ id, name }) => [name, id]));
    await tx
      .insert(reviews)
      .values(
        [...demoReviews].reverse().map(({ tool, ...review }) => ({ ...review, toolId: ids.get(tool), demo: true })),
      );
    return true;
  });
}

export async function hasDemoTools(db: Db): Promise<boolean> {
  const [demoTool] = await db.select({ id: tools.id }).from(tools).where(eq(tools.demo, true)).limit(1);
  return demoTool !== undefined;
}

/**
 * Removes the demo tools and reviews. A tool with orders is kept without stock, because the orders refer to it.
 * @returns how many were removed, and the names of the kept tools
 */
export async function clearDemo(db: Db): Promise<{ tools: number; reviews: number; kept: string[] }> {
  return db.transaction(async (tx) => {
    const removedTools = await tx
      .delete(tools)
      .where(sql`${tools.demo} and not exists (select 1 from ${orders} where ${orders.toolId} = ${tools.id})`)
      .returning({ id: tools.id });
    const keptTools = await tx
      .update(tools)
      .set({
        demo: false,
        stockedQuantity: sql`${tools.stockedQuantity} - ${tools.availableQuantity}`,
        availableQuantity: 0,
      })
      .where(eq(tools.demo, true))
      .returning({ name: tools.name });
    const removedReviews = await tx.delete(reviews).where(eq(reviews.demo, true)).returning({ id: reviews.id });
    return {
      tools: removedTools.length,
      reviews: removedReviews.length,
      kept: keptTools.map(({ name }) => name),
    };
  });
}
