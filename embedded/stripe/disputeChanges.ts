import type { DisputePlan } from './cardPlans';
import { placeholders, type ChangeStatement } from './commitChange';
import type { DisputeRow } from './disputeObject';
import { versionedChange, versionedPlaceholders, type FoundPayment } from './findPayment';
import { newId } from './ids';
import type { IntentRow } from './intentObject';

export const openDispute = ({ next, afterMs }: DisputePlan, { id, amount }: IntentRow, now: Date): DisputeRow => ({
  id: newId('du'),
  intentId: id,
  amount,
  reason: 'fraudulent',
  status: 'needs_response',
  nextStatus: next,
  nextStatusAt: new Date(now.getTime() + afterMs),
  body: {},
  createdAt: now,
});

const COLUMNS = 'id, intent_id, amount, reason, status, next_status, next_status_at, body, created_at';

/** Adds the insert of the dispute to the statement that pays the intent, so that either both are stored or neither. */
export function withDispute(paid: ChangeStatement, row: DisputeRow): ChangeStatement {
  const [id, intent, amount, reason, status, next, nextAt, body, created] = placeholders(9, paid.values.length);
  const insert = `
    insert into embedded_stripe.disputes (${COLUMNS})
    select ${id}, ${intent}, ${amount}::bigint, ${reason}, ${status}, ${next}, ${nextAt}::timestamptz,
      ${body}::jsonb, ${created}::timestamptz from change`;
  const { nextStatus, nextStatusAt, createdAt } = row;
  const values = [
    ...[row.id, row.intentId, row.amount, row.reason, row.status],
    ...[nextStatus, nextStatusAt, row.body, createdAt],
  ];
  return { name: `${paid.name} with dispute`, sql: paid.sql, values: [...paid.values, ...values], also: insert };
}

const [ID, STATUS] = versionedPlaceholders(2);
const END = `
  update embedded_stripe.disputes d set status = ${STATUS}, next_status = null, next_status_at = null
  from change where d.id = ${ID}`;

export const buildDisputeEnd = (payment: FoundPayment, { id, status }: DisputeRow): ChangeStatement =>
  versionedChange('end dispute', payment, END, [id, status]);
