import { eq, sql } from 'drizzle-orm';
import type { Db } from '../db/database';
import { payments, refunds } from '../db/schema';
import { isOpenRefund } from '../orders/orderTransaction';
import { returnStock } from '../orders/stock';
import { paymentTransaction } from './paymentTransaction';
import { markRefunded, numberRefund, setRefundFailed } from './recordRefund';

/**
 * Records that the operator has paid a customer back in another way. The order that was paid becomes refunded, so that
 * the money is not refunded again and nothing is shipped.
 * @returns the tool whose stock has grown, because the failed refund would have restocked it. False if no money is due
 * back, or the shop itself is paying it back.
 */
export const recordReturned = (db: Db, intentId: string): Promise<{ restockedTool: string | undefined } | false> =>
  paymentTransaction(db, intentId, async (tx, { payment, order, refunds: rows }, atCommit) => {
    const isDue = !rows.some(isOpenRefund) && (order?.refundFailed || payment?.outcome === 'refund due');
    if (!isDue || !payment || payment.returnedAt || payment.ofOriginal) return false;
    await tx
      .update(payments)
      .set({ returnedAt: sql`now()` })
      .where(eq(payments.intentId, intentId));
    if (!order) return { restockedTool: undefined };
    await setRefundFailed(tx, order, false);
    await markRefunded(tx, order);
    const [failed] = rows
      .filter(({ state, doneAt }) => state === 'failed' && !doneAt)
      .sort((a, b) => b.updatedAt.getTime() - a.updatedAt.getTime());
    if (!failed) return { restockedTool: undefined };
    await returnStock(tx, order, failed.restockPieces);
    await tx
      .update(refunds)
      .set({ doneAt: sql`now()` })
      .where(eq(refunds.id, failed.id));
    numberRefund(tx, failed, atCommit);
    return { restockedTool: failed.restockPieces > 0 ? order.toolId : undefined };
  });
