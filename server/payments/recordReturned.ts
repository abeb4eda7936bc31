import { eq, sql } from 'drizzle-orm';
import type { Db, Tx } from '../db/database';
import type { AtCommit } from '../db/lockedTransaction';
import { payments, refunds } from '../db/schema';
import { isOpenRefund, returnedPiecesOf, sumCentsOf } from '../orders/orderTransaction';
import { returnStock, type OrderRow } from '../orders/stock';
import { paymentTransaction, type PaymentRow, type RefundRow } from './paymentTransaction';
import { firstOfIntent, markRefunded, numberRefund, setRefundFailed } from './recordRefund';

/** @returns the refund that the money was meant for: the newest one that an admin requested and that never took effect */
function findUndone(rows: RefundRow[]): RefundRow | undefined {
  const undone = rows.filter(({ state, doneAt }) => state === 'failed' && !doneAt);
  const [newest] = undone.sort((a, b) => b.updatedAt.getTime() - a.updatedAt.getTime());
  return undone.find(({ requestedBy }) => requestedBy !== null) ?? newest;
}

/**
 * Gives all money that no refund has returned a credit note. The pieces of the refund that never took effect return to
 * the stock, unless they have returned with another refund.
 * @returns how many pieces have returned
 */
async function creditRest(
  tx: Tx,
  order: OrderRow,
  { intentId, currency, ...payment }: PaymentRow,
  rows: RefundRow[],
  atCommit: AtCommit,
): Promise<number> {
  const amountCents = payment.amountCents - sumCentsOf(rows);
  const undone = findUndone(rows);
  const restockPieces = Math.min(undone?.restockPieces ?? 0, order.quantity - returnedPiecesOf(rows));
  const pieces = undone?.amountCents === amountCents ? undone.pieces : null;
  const credited = { amountCents, pieces, restockPieces, doneAt: sql`now()` };
  const added = { paymentId: intentId, firstOfIntent: firstOfIntent(intentId), orderId: order.id, currency };
  const [row] = undone
    ? await tx.update(refunds).set(credited).where(eq(refunds.id, undone.id)).returning()
    : await tx
        .insert(refunds)
        .values({ ...added, ...credited, state: 'failed', reason: 'paid back in another way' })
        .returning();
  await numberRefund(tx, row!, rows, atCommit);
  await returnStock(tx, order, restockPieces);
  return restockPieces;
}

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
    const restocked = await creditRest(tx, order, payment, rows, atCommit);
    return { restockedTool: restocked > 0 ? order.toolId : undefined };
  });
