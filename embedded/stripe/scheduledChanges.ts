import type { ChangeContext } from './call';
import { commitChange, ConcurrentChange, type ChangeStatement } from './commitChange';
import { buildDisputeEnd } from './disputeChanges';
import { disputeObject } from './disputeObject';
import { findPayment, versionedChange, versionedPlaceholders, type FoundPayment } from './findPayment';
import { refundObject, type RefundRow } from './refundObject';
import { eventObject } from './sandboxEvents';

type DueChangeContext = Pick<ChangeContext, 'db' | 'now'>;
interface DueRow {
  id: string;
  intentId: string;
}

const MAX_DUE_CHANGES = 50;
const DUE = {
  name: 'sandbox changes that are due',
  text: `
    (select id, intent_id as "intentId" from embedded_stripe.refunds where next_status is not null and next_status_at <= $1
      order by next_status_at limit ${MAX_DUE_CHANGES})
    union all
    (select id, intent_id from embedded_stripe.disputes where next_status is not null and next_status_at <= $1
      order by next_status_at limit ${MAX_DUE_CHANGES})`,
};

const [ID, STATUS, FAILURE] = versionedPlaceholders(3);
const UPDATE_REFUND = `
  update embedded_stripe.refunds r
  set status = ${STATUS}, failure_reason = ${FAILURE}, next_status = null, next_status_at = null
  from change where r.id = ${ID}`;

const isDue = (row: { nextStatusAt: Date | null }, now: Date) => row.nextStatusAt !== null && row.nextStatusAt <= now;

function buildRefundChange(context: ChangeContext, payment: FoundPayment, refund: RefundRow, status: string) {
  const failureReason = status === 'failed' ? 'expired_or_canceled_card' : null;
  const changedRefund = { ...refund, status, failureReason, nextStatus: null, nextStatusAt: null };
  const change = versionedChange('change refund', payment, UPDATE_REFUND, [refund.id, status, failureReason]);
  const types = status === 'failed' ? ['refund.failed', 'refund.updated'] : ['refund.updated'];
  const [before, after] = [{ status: refund.status }, refundObject(changedRefund, payment.row)];
  return { change, events: types.map((type) => eventObject(context, type, after, before)) };
}

function buildDisputeChange(context: ChangeContext, payment: FoundPayment, status: string) {
  const ended = { ...payment.dispute!, status };
  const events = [eventObject(context, 'charge.dispute.closed', disputeObject(ended, payment.row))];
  return { change: buildDisputeEnd(payment, ended), events };
}

/** @returns undefined if the change is no longer due, for example because another server has made it */
function dueChangeOf(context: ChangeContext, payment: FoundPayment, id: string) {
  const refund = payment.refunds.find((found) => found.id === id);
  const row = refund ?? payment.dispute;
  if (!row?.nextStatus || !isDue(row, context.now)) return undefined;
  return refund
    ? buildRefundChange(context, payment, refund, row.nextStatus)
    : buildDisputeChange(context, payment, row.nextStatus);
}

async function makeDueChange(context: ChangeContext, { id, intentId }: DueRow): Promise<void> {
  const payment = await findPayment({ db: context.db, id: intentId, caller: 'secret', clientSecret: null });
  const due: { change: ChangeStatement; events: Parameters<typeof commitChange>[3] } | undefined = dueChangeOf(
    context,
    payment,
    id,
  );
  if (due) await commitChange(context, due.change, { status: 200, body: {} }, due.events);
}

/**
 * Changes the status of refunds and disputes when it is due. Several servers may try to do so at the same time, but the
 * version check lets only one of them succeed.
 */
export async function makeScheduledChanges({ db, now }: DueChangeContext): Promise<void> {
  const context: ChangeContext = { db, now, idempotencyKey: null };
  const { rows } = await db.$client.query<DueRow>({ ...DUE, values: [now] });
  for (const row of rows) {
    await makeDueChange(context, row).catch((error: unknown) => {
      if (!(error instanceof ConcurrentChange)) throw error;
    });
  }
}
