import { and, eq, inArray, isNull, or } from 'drizzle-orm';
import { CENTS_PER_DOLLAR, CURRENCY } from '../../src/contract/limits';
import { SELLER } from '../../src/contract/seller';
import type { Db, Tx } from '../db/database';
import { orders, paymentAttempts, payments } from '../db/schema';
import { queueMail } from '../mail/outbox';
import { mayHappen } from '../orders/mayHappen';
import { paymentInProgress } from '../orders/orderProblems';
import { factsOf, orderTransaction, type LockedOrder } from '../orders/orderTransaction';
import { takeStock, type OrderRow } from '../orders/stock';
import type { PaymentContext } from './context';
import { takePaperNumber } from './paperNumbers';
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

async function markAttemptSucceeded(tx: Tx, intent: PaymentIntent): Promise<void> {
  const { orderId, n, intentId } = paymentAttempts;
  const isSameOrUnknown = or(isNull(intentId), eq(intentId, intent.id));
  await tx
    .update(paymentAttempts)
    .set({ state: 'succeeded', intentId: intent.id })
    .where(and(eq(orderId, orderIdOf(intent)), eq(n, attemptNumberOf(intent)), isSameOrUnknown));
}

const paymentOf = ({ id, receivedCents, currency, card }: PaymentIntent, orderId: string | null) => ({
  ...{ intentId: id, orderId, amountCents: receivedCents, currency },
  ...{ cardBrand: card?.brand, cardLast4: card?.last4 },
});

/** Without an order there is no lock, so another server may store the same payment. */
async function storeRefundDue(tx: Tx, intent: PaymentIntent, orderId: string | null, reason: string): Promise<void> {
  const row = { ...paymentOf(intent, orderId), outcome: 'refund due' as const, reason };
  const insertion = tx.insert(payments).values(row);
  await (orderId ? insertion : insertion.onConflictDoNothing());
}

function insertPaid(tx: Tx, intent: PaymentIntent, orderId: string) {
  const { taken, number } = takePaperNumber(tx, 'invoice');
  const row = { ...paymentOf(intent, orderId), outcome: 'paid' as const, invoice: number, seller: SELLER };
  return tx.with(taken).insert(payments).values(row);
}

async function markPaid(tx: Tx, orderId: string): Promise<void> {
  await tx
    .update(orders)
    .set({ state: 'paid', holdsStock: true, holdUntil: null, claimedUntil: null })
    .where(eq(orders.id, orderId));
  await queueMail(tx, 'payment received', orderId);
}

/** Records a succeeded payment exactly once: either as the payment of its order, or as due to be refunded. */
export const recordPayment = (ctx: PaymentContext, intent: PaymentIntent): Promise<RecordedPayment> =>
  orderTransaction(ctx.db, orderIdOf(intent), async (tx, locked, atCommit) => {
    const outcome = await findRecordedOutcome(tx, intent.id);
    if (outcome) return { outcome, stockTaken: false };

    const order = locked?.order;
    const reason =
      findRefundReason(locked, intent, ctx.now()) ?? ((await hasStock(tx, order!)) ? undefined : 'out of stock');
    await markAttemptSucceeded(tx, intent);
    if (reason) {
      await storeRefundDue(tx, intent, order?.id ?? null, reason);
      return { outcome: 'refund due', stockTaken: false };
    }
    await markPaid(tx, order!.id);
    atCommit(insertPaid(tx, intent, order!.id));
    return { outcome: 'paid', stockTaken: !order!.holdsStock };
  });

/** @returns which of these intents are recorded, as paid or as due to be refunded */
export async function findRecordedIntentIds(db: Db, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db.select({ id: payments.intentId }).from(payments).where(inArray(payments.intentId, ids));
  return new Set(rows.map(({ id }) => id));
}
