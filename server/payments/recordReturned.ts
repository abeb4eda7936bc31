import { eq, sql } from 'drizzle-orm';
import type { Db } from '../db/database';
import { payments } from '../db/schema';
import { paymentTransaction } from './paymentTransaction';
import { markRefunded } from './recordRefund';

/**
 * Records that the operator has paid a customer back in another way. The order that was paid becomes refunded, so that
 * the money is not refunded again and nothing is shipped.
 * @returns the tool whose stock has grown, because the failed refund would have restocked it. False if no money is due
 * back, or the shop itself is paying it back.
 */
export const recordReturned = (db: Db, intentId: string): Promise<{ restockedTool: string | undefined } | false> =>
  paymentTransaction(db, intentId, async (tx, { payment, order, refund }) => {
    const isDue = refund ? refund.state === 'failed' : payment?.outcome === 'refund due';
    if (!isDue || payment?.returnedAt || payment?.ofOriginal) return false;
    await tx
      .update(payments)
      .set({ returnedAt: sql`now()` })
      .where(eq(payments.intentId, intentId));
    const isRestocked = order && refund && (await markRefunded(tx, order, refund));
    return { restockedTool: isRestocked ? order.toolId : undefined };
  });
