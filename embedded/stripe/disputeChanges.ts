import type { DisputePlan } from './cardPlans';
import { placeholders, type ChangeStatement } from './commitChange';
import { disputeDetails, disputeTransaction, type DisputeDetails, type DisputeRow } from './disputeObject';
import { versionedChange, versionedPlaceholders, type FoundPayment } from './findPayment';
import { newId, unixSeconds } from './ids';
import type { IntentRow } from './intentObject';
import type { DisputeEventType } from './sandboxEvents';

const DAY_MS = 24 * 3_600_000;
const DAYS_TO_RESPOND = 8;
const DAYS_OF_INQUIRY = 120;

/** The evidence is due at the end of a day, as with Stripe. */
function dueDate(now: Date): Date {
  const due = new Date(now.getTime() + DAYS_TO_RESPOND * DAY_MS);
  due.setUTCHours(23, 59, 59, 0);
  return due;
}

/** If the shop sends no evidence, a chargeback is lost at its deadline, and an inquiry closes after 120 days. */
function withDeadline(row: DisputeRow, now: Date): DisputeRow {
  const due = dueDate(now);
  const next =
    row.status === 'needs_response'
      ? { nextStatus: 'lost', nextStatusAt: due }
      : { nextStatus: 'warning_closed', nextStatusAt: new Date(now.getTime() + DAYS_OF_INQUIRY * DAY_MS) };
  return { ...row, ...next, body: { ...disputeDetails(row), dueBy: unixSeconds(due) } };
}

function withBalanceTransaction(row: DisputeRow, intent: IntentRow, sign: 1 | -1, now: Date): DisputeRow {
  const details = disputeDetails(row);
  const transactions = [...details.transactions, disputeTransaction(row, intent, sign, now)];
  return { ...row, body: { ...details, transactions } };
}

interface DisputeChange {
  row: DisputeRow;
  types: DisputeEventType[];
}

export function openDispute(plan: DisputePlan, intent: IntentRow, now: Date): DisputeChange {
  const { networkReasonCode, reason, status, ends } = plan;
  const body: DisputeDetails = {
    networkReasonCode,
    dueBy: 0,
    evidence: {},
    submissionCount: 0,
    metadata: {},
    transactions: [],
  };
  const { id: intentId, amount } = intent;
  const next = { nextStatus: null, nextStatusAt: null };
  const opened = withDeadline(
    { id: newId('du'), intentId, amount, reason, status, ...next, body, createdAt: now },
    now,
  );
  const row = ends
    ? { ...opened, nextStatus: ends.status, nextStatusAt: new Date(now.getTime() + ends.afterMs) }
    : opened;
  if (status === 'warning_needs_response') return { row, types: ['charge.dispute.created'] };
  const types: DisputeEventType[] = ['charge.dispute.created', 'charge.dispute.funds_withdrawn'];
  return { row: withBalanceTransaction(row, intent, -1, now), types };
}

/**
 * Sets a status that ends the dispute. Or sets `needs_response`, which means that the bank has turned its inquiry into
 * a chargeback.
 */
export function changeDisputeStatus(dispute: DisputeRow, status: string, intent: IntentRow, now: Date): DisputeChange {
  const row = { ...dispute, status, nextStatus: null, nextStatusAt: null };
  if (status === 'needs_response') {
    const escalated = withDeadline(withBalanceTransaction(row, intent, -1, now), now);
    return { row: escalated, types: ['charge.dispute.updated', 'charge.dispute.funds_withdrawn'] };
  }
  if (status !== 'won') return { row, types: ['charge.dispute.closed'] };
  const types: DisputeEventType[] = ['charge.dispute.funds_reinstated', 'charge.dispute.closed'];
  return { row: withBalanceTransaction(row, intent, 1, now), types };
}

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
    row.id,
    row.intentId,
    row.amount,
    row.reason,
    row.status,
    nextStatus,
    nextStatusAt,
    row.body,
    createdAt,
  ];
  return { name: `${paid.name} with dispute`, sql: paid.sql, values: [...paid.values, ...values], also: insert };
}

const [ID, STATUS, NEXT, NEXT_AT, BODY] = versionedPlaceholders(5);
const UPDATE = `
  update embedded_stripe.disputes d set status = ${STATUS}, next_status = ${NEXT}, next_status_at = ${NEXT_AT}, body = ${BODY}
  from change where d.id = ${ID}`;

export function buildDisputeUpdate(payment: FoundPayment, row: DisputeRow): ChangeStatement {
  const { id, status, nextStatus, nextStatusAt, body } = row;
  return versionedChange('change dispute', payment, UPDATE, [id, status, nextStatus, nextStatusAt, body]);
}
