import { and, eq, inArray, isNull, or } from 'drizzle-orm';
import { CENTS_PER_DOLLAR, CURRENCY } from '../../src/contract/limits';
import type { Db, Tx } from '../db/database';
import { orders, paymentAttempts, payments } from '../db/schema';
import { queueMail } from '../mail/outbox';
import { mayHappen } from '../orders/mayHappen';
import { paymentInProgress } from '../orders/orderProblems';
import { factsOf, orderTransaction, type LockedOrder } from '../orders/orderTransaction';
import { takeStock, type OrderRow } from '../orders/stock';
import type { PaymentContext } from './context';
import { attemptNumberOf, orderIdOf, type PaymentIntent } from './provider';

type RecordedOutcome = (typeof payments.$inferSelect)['outcome'];
export interface RecordedPayment {
  outcome: RecordedOutcome;
  stockTaken: boolean;
}

const totalCentsOf = ({ unitPrice, quantity }: OrderRow) => unitPrice! * quantity * CENTS_PER_DOLLAR;

/**
 * Money that has arrived pays for its order even if someone is about to delete the order or to end its hold.
 * @returns why the money must be refunded, as the operator reads it
 */
function findRefundReason(
  locked: LockedOrder | undefined,
  { receivedCents, currency }: PaymentIntent,
  now: Date,
): string | undefined {
  if (!locked) return 'unknown order';
  const refusal = mayHappen(factsOf(locked, now)).pay;
  if (refusal && refusal !== paymentInProgress) return `${locked.order.state} order`;
  return receivedCents === totalCentsOf(locked.order) && currency === CURRENCY ? undefined : 'other amount';
}

async function findRecordedOutcome(tx: Tx, intentId: string): Promise<RecordedOutcome | undefined> {
  const [recorded] = await tx
    .select({ outcome: payments.outcome })
    .from(payments)
    .where(eq(payments.intentId, intentId));
  return recorded?.outcome;
}

/** Takes the stock if the order's hold has ended. */
const hasStock = async (tx: Tx, order: OrderRow) => order.holdsStock || takeStock(tx, order);

/** @param reason why the money must be refunded, or undefined if it pays for the order */
async function storePayment(tx: Tx, intent: PaymentIntent, orderId: string | null, reason?: string): Promise<void> {
  const { id: intentId, receivedCents: amountCents, currency, card } = intent;
  const outcome = reason ? 'refund due' : 'paid';
  const insertion = tx.insert(payments).values({
    intentId,
    orderId,
    outcome,
    amountCents,
    currency,
    reason,
    cardBrand: card?.brand,
    cardLast4: card?.last4,
  });
  // Without an order there is no lock, so another server may store the same payment.
  await (orderId ? insertion : insertion.onConflictDoNothing());
  const { orderId: order, n, intentId: saved } = paymentAttempts;
  await tx
    .update(paymentAttempts)
    .set({ state: 'succeeded', intentId })
    .where(and(eq(order, orderIdOf(intent)), eq(n, attemptNumberOf(intent)), or(isNull(saved), eq(saved, intentId))));
}

async function markPaid(tx: Tx, orderId: string): Promise<void> {
  await tx
    .update(orders)
    .set({ state: 'paid', holdsStock: true, holdUntil: null, deletingUntil: null })
    .where(eq(orders.id, orderId));
  await queueMail(tx, 'payment received', orderId);
}

/** Records a succeeded payment exactly once: either as the payment of its order, or as due to be refunded. */
export const recordPayment = (ctx: PaymentContext, intent: PaymentIntent): Promise<RecordedPayment> =>
  orderTransaction(ctx.db, orderIdOf(intent), async (tx, locked) => {
    const outcome = await findRecordedOutcome(tx, intent.id);
    if (outcome) return { outcome, stockTaken: false };

    const order = locked?.order;
    const reason =
      findRefundReason(locked, intent, ctx.now()) ?? ((await hasStock(tx, order!)) ? undefined : 'out of stock');
    await storePayment(tx, intent, order?.id ?? null, reason);
    if (!reason) await markPaid(tx, order!.id);
    return reason ? { outcome: 'refund due', stockTaken: false } : { outcome: 'paid', stockTaken: !order!.holdsStock };
  });

/** @returns which of these intents are recorded, as paid or as due to be refunded */
export async function findRecordedIntentIds(db: Db, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db.select({ id: payments.intentId }).from(payments).where(inArray(payments.intentId, ids));
  return new Set(rows.map(({ id }) => id));
}
