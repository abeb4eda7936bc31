import { and, eq, inArray, isNull, or, sql } from 'drizzle-orm';
import type { Db, Tx } from '../db/database';
import { databaseErrorOf, withTransactionRetry } from '../db/retryConflicts';
import { paymentAttempts, payments } from '../db/schema';
import { queueMailFor } from '../mail/outbox';
import { reserveStockForPaid } from '../orders/stock';
import type { PaymentContext } from './context';
import { lockForPayment, reasonNotPayable, refundReasonFor, type NotPayableReason } from './payability';
import { attemptNumberOf, orderIdOf, type PaymentIntent } from './provider';

type RecordedOutcome = (typeof payments.$inferSelect)['outcome'];
export interface RecordedPayment {
  outcome: RecordedOutcome;
  stockTaken: boolean;
}

/**
 * If this money can pay for the order, marks the order as paid, stores the payment, closes the attempt and queues an
 * email. Outside of a transaction, this is the fast path. If another transaction is changing the order, the statement
 * waits and then checks the changed row. If the same intent is recorded in the meantime, the primary key is violated.
 */
async function recordPaid({ settings }: PaymentContext, db: Db | Tx, intent: PaymentIntent): Promise<boolean> {
  const { id, receivedCents, currency, card } = intent;
  const { rowCount } = await db.execute(sql`
with paid_order as (
  update orders o set state = 'paid', hold_until = null, deleting_until = null
  where o.id = ${orderIdOf(intent)} and ${reasonNotPayable(receivedCents, currency)} is null
    and not exists (select from payments where intent_id = ${id})
  returning o.id
), inserted_payment as (
  insert into payments (intent_id, order_id, outcome, amount_cents, currency, card_brand, card_last4)
  select ${id}, id, 'paid', ${receivedCents}, ${currency}, ${card?.brand ?? null}, ${card?.last4 ?? null} from paid_order
), closed_attempt as (
  update payment_attempts set state = 'succeeded', intent_id = ${id} from paid_order
  where order_id = paid_order.id and n = ${attemptNumberOf(intent)} and (intent_id is null or intent_id = ${id})
), queued_mail as (
  ${queueMailFor('payment received', 'paid_order', settings)}
)
select from paid_order`);
  return rowCount === 1;
}

const isAlreadyRecorded = (error: unknown) => databaseErrorOf(error).constraint === 'payments_pkey';

/** @returns undefined if the fast path does not apply, so that a transaction is needed */
export async function recordInOneStatement(
  ctx: PaymentContext,
  intent: PaymentIntent,
): Promise<RecordedPayment | undefined> {
  try {
    return (await recordPaid(ctx, ctx.db, intent)) ? { outcome: 'paid', stockTaken: false } : undefined;
  } catch (error) {
    if (isAlreadyRecorded(error)) return undefined;
    throw error;
  }
}

async function recordRefundDue(tx: Tx, intent: PaymentIntent, orderId: string | null, reason: string): Promise<void> {
  const { id, receivedCents: amountCents, currency, card } = intent;
  const { orderId: order, n, intentId } = paymentAttempts;
  const cardColumns = { cardBrand: card?.brand, cardLast4: card?.last4 };
  await tx
    .update(paymentAttempts)
    .set({ state: 'succeeded', intentId: id })
    .where(and(eq(order, orderIdOf(intent)), eq(n, attemptNumberOf(intent)), or(isNull(intentId), eq(intentId, id))));
  await tx
    .insert(payments)
    .values({ intentId: id, orderId, outcome: 'refund due', amountCents, currency, reason, ...cardColumns })
    .onConflictDoNothing();
}

/**
 * If only the stock is missing, reserves it and runs the statement again. If that fails too, the payment must be
 * refunded.
 */
async function recordLocked(ctx: PaymentContext, tx: Tx, intent: PaymentIntent): Promise<RecordedPayment> {
  const now = ctx.now();
  const { receivedCents: cents, currency } = intent;
  const found = await lockForPayment(tx, orderIdOf(intent), { cents, currency, now });
  const [existing] = await tx
    .select({ outcome: payments.outcome })
    .from(payments)
    .where(eq(payments.intentId, intent.id));
  if (existing) return { ...existing, stockTaken: false };
  const stockTaken = found?.reason === 'stock' && (await reserveStockForPaid(tx, found.order, now));
  if (await recordPaid(ctx, tx, intent)) return { outcome: 'paid', stockTaken };
  const reason: NotPayableReason | undefined = found?.reason ?? undefined;
  await recordRefundDue(tx, intent, found?.order.id ?? null, refundReasonFor(reason));
  return { outcome: 'refund due', stockTaken: false };
}

export const recordInTransaction = (ctx: PaymentContext, intent: PaymentIntent): Promise<RecordedPayment> =>
  ctx.db.transaction(async (tx) => {
    const recorded = await recordLocked(ctx, tx, intent);
    await ctx.checkpoint('commit settlement');
    return recorded;
  });

/** Records a succeeded payment exactly once: either as the payment of its order, or as due to be refunded. */
export const recordPayment = (ctx: PaymentContext, intent: PaymentIntent): Promise<RecordedPayment> =>
  withTransactionRetry(async () => (await recordInOneStatement(ctx, intent)) ?? recordInTransaction(ctx, intent));

/** @returns which of these intents are recorded, as paid or as due to be refunded */
export async function findRecordedIntentIds(db: Db, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db.select({ id: payments.intentId }).from(payments).where(inArray(payments.intentId, ids));
  return new Set(rows.map(({ id }) => id));
}
