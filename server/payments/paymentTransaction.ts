import { eq } from 'drizzle-orm';
import type { Db, Tx } from '../db/database';
import type { AtCommit } from '../db/lockedTransaction';
import { payments, refunds } from '../db/schema';
import { orderTransaction } from '../orders/orderTransaction';
import type { OrderRow } from '../orders/stock';

export type RefundRow = typeof refunds.$inferSelect;
export type PaymentRow = typeof payments.$inferSelect;

export interface LockedPayment {
  payment: PaymentRow | undefined;
  /** The order that the payment paid for. */
  order: OrderRow | undefined;
  refunds: RefundRow[];
}

/** Runs work in a transaction that has locked the payment, its order and its refunds. */
export async function paymentTransaction<T>(
  db: Db,
  intentId: string,
  work: (tx: Tx, locked: LockedPayment, atCommit: AtCommit) => Promise<T>,
): Promise<T> {
  const isPayment = eq(payments.intentId, intentId);
  const [found] = await db.select({ orderId: payments.orderId }).from(payments).where(isPayment);
  return orderTransaction(db, found?.orderId ?? null, async (tx, locked, atCommit) => {
    const [payment] = await tx.select().from(payments).where(isPayment).for('no key update');
    const rows = await tx.select().from(refunds).where(eq(refunds.paymentId, intentId)).for('update');
    return work(
      tx,
      { payment, order: payment?.outcome === 'paid' ? locked?.order : undefined, refunds: rows },
      atCommit,
    );
  });
}
