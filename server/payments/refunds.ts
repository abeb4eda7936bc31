import { and, eq, isNotNull, isNull, lte, or, sql } from 'drizzle-orm';
import type { RefundDraft } from '../../src/contract/entities';
import { leftPiecesOf, refundCentsOf } from '../../src/contract/refunds';
import type { CallerAccount } from '../auth/access';
import { recordAdminAct } from '../auth/recordAdminAct';
import type { Tx } from '../db/database';
import { orders, payments, refunds } from '../db/schema';
import { addMs } from '../db/time';
import { doOnce, type IdempotentCall } from '../http/idempotencyKeys';
import { invalidField } from '../http/problems';
import { mayHappen, throwIfRefused } from '../orders/mayHappen';
import { orderDisputed, orderRefunded, paymentOfOriginal } from '../orders/orderProblems';
import {
  factsOf,
  isOpenRefund,
  orderTransaction,
  refundableOf,
  requireFound,
  type LockedOrder,
} from '../orders/orderTransaction';
import type { PaymentContext } from './context';
import { hasOpenOrLostDispute, REFUSED_FOR_DISPUTE } from './disputes';
import type { RefundRow } from './paymentTransaction';
import { PaymentProviderDown, refundMetadataFor, RefundRefused } from './provider';
import { findRefund, firstOfIntent, readAndRecordRefunds, recordRefunds, recordRefusal } from './recordRefund';

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

/** @returns how many pieces are refunded, how many of them return to the stock, and the amount */
function readDraft(locked: LockedOrder, { pieces, restock }: RefundDraft) {
  const refundable = refundableOf(locked);
  const leftPieces = leftPiecesOf(refundable);
  if (pieces !== undefined && pieces > leftPieces)
    throw invalidField('pieces', `must be at most ${leftPieces}, which is what is left to refund.`);
  const count = pieces ?? leftPieces;
  if (typeof restock === 'number' && restock > count)
    throw invalidField('restock', `must be at most ${count}, the number of refunded pieces.`);
  const restockPieces = typeof restock === 'number' ? restock : restock ? count : 0;
  return {
    amountCents: refundCentsOf(refundable, count),
    pieces: count || null,
    restockPieces: Math.min(restockPieces, refundable.unreturnedPieces),
  };
}

/**
 * Stores the request before the provider is called.
 * @param isRepeat whether the call may repeat an earlier one, because it has no key
 * @returns the id of the refund. Undefined if nothing is left to request, because all of it was requested before.
 */
async function storeRequest(
  { now }: PaymentContext,
  tx: Tx,
  actor: CallerAccount,
  locked: LockedOrder,
  draft: RefundDraft,
  isRepeat: boolean,
): Promise<string | undefined> {
  const { order, payment, refunds: rows } = locked;
  const refusal = mayHappen(factsOf(locked, now())).refund;
  const requested = rows.filter(({ state }) => state !== 'failed').reduce((sum, row) => sum + row.amountCents, 0);
  const isAll = payment && draft.pieces === undefined && requested >= payment.amountCents;
  if (isRepeat && isAll && refusal !== paymentOfOriginal) return rows.find(isOpenRefund)?.id;
  throwIfRefused(refusal);
  const { intentId, currency } = payment!;
  const [stored] = await tx
    .insert(refunds)
    .values({
      ...{ paymentId: intentId, firstOfIntent: firstOfIntent(intentId), orderId: order.id, currency },
      ...{ ...readDraft(locked, draft), reason: draft.reason, requestedBy: actor.id },
    })
    .returning({ id: refunds.id });
  await tx.update(orders).set({ refundFailed: false }).where(eq(orders.id, order.id));
  await recordAdminAct(tx, actor, { act: 'refund order', subject: order.id, detail: draft });
  return stored!.id;
}

/**
 * Refunds pieces of an order, or all that is left. Stores the request first. If this server dies or the provider does
 * not respond, the sweep sends the request again with the same idempotency key.
 * @param key the idempotency key of the admin's call. Repeating the call makes no second refund.
 */
export async function requestRefund(
  ctx: PaymentContext,
  actor: CallerAccount,
  orderId: string,
  draft: RefundDraft,
  key: string | undefined,
): Promise<void> {
  const body = { orderId, ...draft };
  const call: IdempotentCall = { userId: actor.id, call: 'POST /order/refund', key, body };
  const { refund: id } = await orderTransaction(ctx.db, orderId, (tx, found) => {
    const locked = requireFound(found);
    return doOnce(tx, call, async () => ({
      refund: await storeRequest(ctx, tx, actor, locked, draft, key === undefined),
    }));
  });
  if (id === undefined) return;
  await sendRefund(ctx, id).catch((error: unknown) => {
    if (!(error instanceof PaymentProviderDown)) throw error;
    ctx.log.warn({ err: error, refund: id }, 'could not send refund');
  });
}

/**
 * Uses `checked_at` as a lease, so that only one server sends the refund.
 * @returns whether this server may send it
 */
async function claimRefund({ db }: PaymentContext, { id, tries }: RefundRow, at: Date): Promise<boolean> {
  const isClaimable = and(
    eq(refunds.id, id),
    eq(refunds.state, 'requested'),
    eq(refunds.tries, tries),
    or(isNull(refunds.checkedAt), lte(refunds.checkedAt, addMs(at, -LEASE_MS))),
  );
  const { rowCount } = await db.update(refunds).set({ checkedAt: at }).where(isClaimable);
  return rowCount !== 0;
}

/**
 * Only after an answer. A try without one may still reach the provider, which makes the refund once for each key.
 */
async function changeOldKey({ db, now }: PaymentContext, { id, tries, updatedAt }: RefundRow): Promise<void> {
  if (now().getTime() - updatedAt.getTime() < NEW_KEY_AFTER_MS) return;
  await db
    .update(refunds)
    .set({ tries: tries + 1 })
    .where(and(eq(refunds.id, id), eq(refunds.tries, tries), eq(refunds.state, 'requested')));
}

const callProvider = ({ provider, shopId }: PaymentContext, refund: RefundRow) =>
  provider.createRefund({
    intentId: refund.paymentId,
    amountCents: refund.amountCents,
    metadata: refundMetadataFor(shopId, refund),
    idempotencyKey: `refund-${refund.id}-${refund.tries}`,
  });

async function findRefusalOfLateMoney(tx: Tx, intentId: string): Promise<string | undefined> {
  if (await hasOpenOrLostDispute(tx, intentId)) return REFUSED_FOR_DISPUTE;
  const isReturned = and(eq(payments.intentId, intentId), isNotNull(payments.returnedAt));
  return (await tx.$count(payments, isReturned)) > 0 ? orderRefunded().code : undefined;
}

/**
 * Asks again whether the payment may be refunded, because a dispute can begin, and the operator can return the money,
 * after the request.
 * @returns the code of the reason why not, which for a dispute is the provider's
 */
const findRefusal = ({ db, now }: PaymentContext, { paymentId, orderId }: RefundRow): Promise<string | undefined> =>
  orderTransaction(db, orderId, async (tx, locked) => {
    const isOfOrder = locked?.payment?.intentId === paymentId;
    if (!isOfOrder) return findRefusalOfLateMoney(tx, paymentId);
    const refusal = mayHappen({ ...factsOf(locked, now()), isRefundOpen: false, isRefundFailed: true }).refund;
    return refusal === orderDisputed ? REFUSED_FOR_DISPUTE : refusal?.().code;
  });

/**
 * Sends a requested refund, unless another server is sending it. If it was sent before, first looks for it at the
 * provider, because only the response may have been lost. A server that was suspended while it held the lease does not
 * send anymore: by now, another one may have sent the refund with a new key.
 */
export async function sendRefund(ctx: PaymentContext, id: string): Promise<void> {
  const refund = await findRefund(ctx.db, id);
  const claimedAt = ctx.now();
  if (refund?.state !== 'requested' || !(await claimRefund(ctx, refund, claimedAt))) return;
  if (refund.checkedAt) {
    await readAndRecordRefunds(ctx, refund.paymentId);
    if ((await findRefund(ctx.db, id))?.state !== 'requested') return;
  }
  await ctx.checkpoint('send refund');
  const refusal = await findRefusal(ctx, refund);
  if (refusal) return recordRefusal(ctx, refund, refusal);
  if (ctx.now().getTime() - claimedAt.getTime() >= LEASE_MS) return;
  try {
    const sent = await callProvider(ctx, refund);
    await ctx.checkpoint('record refund');
    await recordRefunds(ctx, refund.paymentId, [sent]);
  } catch (error) {
    if (error instanceof PaymentProviderDown && error.hasFailed) await changeOldKey(ctx, refund);
    if (!(error instanceof RefundRefused)) throw error;
    await readAndRecordRefunds(ctx, refund.paymentId);
    await recordRefusal(ctx, refund, error.code);
  }
}
