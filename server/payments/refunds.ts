import { and, eq, isNull, lte, or, sql } from 'drizzle-orm';
import type { RefundDraft } from '../../src/contract/entities';
import type { CallerAccount } from '../auth/access';
import { recordAdminAct } from '../auth/recordAdminAct';
import type { Tx } from '../db/database';
import { orders, refunds } from '../db/schema';
import { mayHappen, throwIfRefused } from '../orders/mayHappen';
import { orderDisputed, paymentOfOriginal } from '../orders/orderProblems';
import { factsOf, orderTransaction, requireFound, type LockedOrder } from '../orders/orderTransaction';
import type { PaymentContext } from './context';
import { hasOpenOrLostDispute, REFUSED_FOR_DISPUTE } from './disputes';
import type { RefundRow } from './paymentTransaction';
import { PaymentProviderDown, refundMetadataFor, RefundRefused } from './provider';
import { readAndRecordRefunds, findRefund, recordRefunds, recordRefusal } from './recordRefund';

/** Longer than a call to the provider can take, so an expired lease means that its owner died. */
const LEASE_MS = 30_000;
/**
 * The provider may store a failure with the idempotency key and repeat it. After failing for this long, each try has a
 * new key.
 */
const NEW_KEY_AFTER_MS = 600_000;

export const nextTry = {
  state: 'requested' as const,
  tries: sql`${refunds.tries} + 1`,
  ...{ refundId: null, error: null, checkedAt: null, updatedAt: sql`now()` },
};

/**
 * Stores the request before the provider is called. If an earlier refund has failed for good, the request is a new try.
 * @returns the id of the payment's intent
 */
async function storeRequest(
  { now }: PaymentContext,
  tx: Tx,
  actor: CallerAccount,
  locked: LockedOrder,
  draft: RefundDraft,
): Promise<string> {
  const { order, payment, refund } = locked;
  const refusal = mayHappen(factsOf(locked, now())).refund;
  if (payment && refund && refund.state !== 'failed' && refusal !== paymentOfOriginal) return payment.intentId;
  throwIfRefused(refusal);
  const { intentId, currency } = payment!;
  const request = {
    amountCents: payment!.amountCents - payment!.partCents,
    reason: draft.reason,
    restock: order.state === 'paid' ? draft.restock : (refund?.restock ?? false),
    requestedBy: actor.id,
  };
  await tx
    .insert(refunds)
    .values({ intentId, orderId: order.id, currency, ...request })
    .onConflictDoUpdate({
      target: refunds.intentId,
      set: {
        ...request,
        ...nextTry,
      },
    });
  await tx.update(orders).set({ refundFailed: false }).where(eq(orders.id, order.id));
  await recordAdminAct(tx, actor, { act: 'refund order', subject: order.id, detail: draft });
  return intentId;
}

/**
 * Refunds what is left of an order's payment, and only once. Stores the request first. If this server dies or the provider does not
 * respond, the sweep sends the request again with the same idempotency key.
 */
export async function requestRefund(
  ctx: PaymentContext,
  actor: CallerAccount,
  orderId: string,
  draft: RefundDraft,
): Promise<void> {
  const intentId = await orderTransaction(ctx.db, orderId, (tx, found) =>
    storeRequest(ctx, tx, actor, requireFound(found), draft),
  );
  await sendRefund(ctx, intentId).catch((error: unknown) => {
    if (!(error instanceof PaymentProviderDown)) throw error;
    ctx.log.warn({ err: error, intentId }, 'could not send refund');
  });
}

/**
 * Uses `checked_at` as a lease, so that only one server sends the refund.
 * @returns whether this server may send it
 */
async function claimRefund({ db, now }: PaymentContext, { intentId, tries }: RefundRow): Promise<boolean> {
  const isClaimable = and(
    eq(refunds.intentId, intentId),
    eq(refunds.state, 'requested'),
    eq(refunds.tries, tries),
    or(isNull(refunds.checkedAt), lte(refunds.checkedAt, new Date(now().getTime() - LEASE_MS))),
  );
  const { rowCount } = await db.update(refunds).set({ checkedAt: now() }).where(isClaimable);
  return rowCount !== 0;
}

/**
 * After ten minutes without success, increases the try number and thereby changes the idempotency key. That is safe,
 * because the provider refunds a payment only once, whatever the key is.
 */
async function chooseTryNumber({ db, now }: PaymentContext, { intentId, tries, checkedAt, updatedAt }: RefundRow) {
  const isKeyOld = checkedAt && now().getTime() - updatedAt.getTime() > NEW_KEY_AFTER_MS;
  if (!isKeyOld) return tries;
  await db
    .update(refunds)
    .set({ tries: tries + 1 })
    .where(and(eq(refunds.intentId, intentId), eq(refunds.tries, tries)));
  return tries + 1;
}

const callProvider = ({ provider, shopId }: PaymentContext, { intentId, orderId, tries }: RefundRow) =>
  provider.createRefund({
    intentId,
    metadata: refundMetadataFor(shopId, orderId, tries),
    idempotencyKey: `refund-${intentId}-${tries}`,
  });

/**
 * Asks again whether the payment may be refunded, because a dispute can begin after the request. A refund of money that
 * paid for no order depends on nothing else.
 * @returns the code of the reason why not, which for a dispute is the provider's
 */
const findRefusal = ({ db, now }: PaymentContext, { intentId, orderId }: RefundRow): Promise<string | undefined> =>
  orderTransaction(db, orderId, async (tx, locked) => {
    const isOfOrder = locked?.payment?.intentId === intentId;
    if (!isOfOrder) return (await hasOpenOrLostDispute(tx, intentId)) ? REFUSED_FOR_DISPUTE : undefined;
    const refusal = mayHappen({ ...factsOf(locked, now()), refund: 'failed' }).refund;
    return refusal === orderDisputed ? REFUSED_FOR_DISPUTE : refusal?.().code;
  });

/**
 * Sends a requested refund, unless another server is sending it. If it was sent before, first looks for it at the
 * provider, because only the response may have been lost.
 */
export async function sendRefund(ctx: PaymentContext, intentId: string): Promise<void> {
  const stored = await findRefund(ctx.db, intentId);
  if (stored?.state !== 'requested' || !(await claimRefund(ctx, stored))) return;
  if (stored.checkedAt && (await readAndRecordRefunds(ctx, intentId))) return;
  const refund = { ...stored, tries: await chooseTryNumber(ctx, stored) };
  await ctx.checkpoint('send refund');
  const refusal = await findRefusal(ctx, refund);
  if (refusal) return recordRefusal(ctx, refund, refusal);
  try {
    const sent = await callProvider(ctx, refund);
    await ctx.checkpoint('record refund');
    await recordRefunds(ctx, intentId, refund.tries, { last: sent, parts: [] });
  } catch (error) {
    if (!(error instanceof RefundRefused)) throw error;
    await recordRefusalUnlessRefunded(ctx, refund, error);
  }
}

/**
 * The provider also refuses if the payment is already refunded, for example because someone refunded it at the
 * provider. Then that refund is recorded and not the refusal.
 */
async function recordRefusalUnlessRefunded(
  ctx: PaymentContext,
  refund: RefundRow,
  { code }: RefundRefused,
): Promise<void> {
  if (!(await readAndRecordRefunds(ctx, refund.intentId))) await recordRefusal(ctx, refund, code);
}
