import { eq, sql } from 'drizzle-orm';
import type { Db, Tx } from '../db/database';
import type { AtCommit } from '../db/lockedTransaction';
import { payments, refunds } from '../db/schema';
import { isOpenRefund } from '../orders/orderTransaction';
import { returnStock, type OrderRow } from '../orders/stock';
import { paymentTransaction, type PaymentRow, type RefundRow } from './paymentTransaction';
import { markRefunded, numberRefund, setRefundFailed } from './recordRefund';

const isUndone = ({ state, doneAt }: RefundRow) => state === 'failed' && !doneAt;
const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);

/**
 * Gives the money that no credit note is about yet one of its own, with the newest refund that never took effect. Its
 * pieces return to the stock, unless they have returned with another refund.
 * @returns how many pieces have returned
 */
async function creditRest(
  tx: Tx,
  order: OrderRow,
  payment: PaymentRow,
  rows: RefundRow[],
  atCommit: AtCommit,
): Promise<number> {
  const credited = rows.filter(({ state, number }) => state === 'succeeded' || number !== null);
  const amountCents = payment.amountCents - sum(credited.map((row) => row.amountCents));
  const [undone] = rows.filter(isUndone).sort((a, b) => b.updatedAt.getTime() - a.updatedAt.getTime());
  if (!undone || amountCents <= 0) return 0;
  const returned = sum(rows.map(({ doneAt, restockPieces }) => (doneAt ? restockPieces : 0)));
  const restockPieces = Math.min(undone.restockPieces, order.quantity - returned);
  const pieces = amountCents === undone.amountCents ? undone.pieces : null;
  await returnStock(tx, order, restockPieces);
  await tx
    .update(refunds)
    .set({ amountCents, pieces, restockPieces, doneAt: sql`now()` })
    .where(eq(refunds.id, undone.id));
  numberRefund(tx, undone, atCommit);
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
