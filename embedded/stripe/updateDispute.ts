import { eq } from 'drizzle-orm';
import { okResponse, type SandboxResponse, type SandboxCall } from './call';
import { respondWithoutChange, commitChange } from './commitChange';
import { buildDisputeUpdate, changeDisputeStatus } from './disputeChanges';
import { disputeDetails, disputeObject, EVIDENCE_TEXTS, type DisputeRow } from './disputeObject';
import { findPayment, type FoundPayment } from './findPayment';
import { rejectUnknownFields, readBoolean, readOptionalText, readSection, type Form } from './form';
import { readMetadata } from './metadata';
import { disputeEvents } from './reversalEvents';
import type { DisputeEventType } from './sandboxEvents';
import { sandboxDisputes } from './schema';
import { errorResponse, invalidRequest, noSuchObject } from './stripeErrors';

/** The bank decides the dispute this long after the evidence was sent. */
const DECISION_DELAY_MS = 5000;
/** In Stripe's test mode, evidence with one of these texts determines the dispute's next status. */
const DECISIONS: Record<string, { chargeback?: string; inquiry: string }> = {
  winning_evidence: { chargeback: 'won', inquiry: 'warning_closed' },
  losing_evidence: { chargeback: 'lost', inquiry: 'warning_closed' },
  escalate_inquiry_evidence: { inquiry: 'needs_response' },
};

const UNDER_REVIEW: Record<string, string> = {
  needs_response: 'under_review',
  warning_needs_response: 'warning_under_review',
};

const isClosed = ({ status }: DisputeRow) => ['won', 'lost', 'warning_closed'].includes(status);
const alreadyClosed = errorResponse(invalidRequest(400, 'This dispute is already closed'));

async function findDispute(call: SandboxCall): Promise<{ payment: FoundPayment; dispute: DisputeRow }> {
  const { db, id } = call;
  const [found] = await db
    .select({ intentId: sandboxDisputes.intentId })
    .from(sandboxDisputes)
    .where(eq(sandboxDisputes.id, id));
  if (!found) throw noSuchObject('dispute', id, 'dispute');
  const payment = await findPayment({ ...call, id: found.intentId });
  return { payment, dispute: payment.dispute! };
}

function readEvidence(form: Form): Record<string, string> {
  const sentEvidence = readSection(form, 'evidence');
  rejectUnknownFields(sentEvidence, [...EVIDENCE_TEXTS]);
  return Object.fromEntries(
    Object.keys(sentEvidence).map((name) => [name, readOptionalText(sentEvidence, name) ?? '']),
  );
}

/** As in Stripe's API, an empty value removes the field. */
const mergeFields = (oldFields: Record<string, string>, newFields: Record<string, string>) =>
  Object.fromEntries(Object.entries({ ...oldFields, ...newFields }).filter(([, value]) => value !== ''));

function submitEvidence(row: DisputeRow, now: Date): DisputeRow {
  const details = disputeDetails(row);
  const decision = DECISIONS[details.evidence['uncategorized_text'] ?? ''];
  const nextStatus = decision?.[row.status.startsWith('warning_') ? 'inquiry' : 'chargeback'] ?? null;
  return {
    ...row,
    status: UNDER_REVIEW[row.status] ?? row.status,
    nextStatus,
    nextStatusAt: nextStatus === null ? null : new Date(now.getTime() + DECISION_DELAY_MS),
    body: { ...details, submissionCount: details.submissionCount + 1 },
  };
}

function buildUpdatedDispute({ form, now }: SandboxCall, dispute: DisputeRow): DisputeRow {
  const details = disputeDetails(dispute);
  const evidence = readEvidence(form);
  const body = {
    ...details,
    evidence: mergeFields(details.evidence, evidence),
    metadata: mergeFields(details.metadata, readMetadata(form)),
  };
  const hasEvidence = Object.keys(evidence).length > 0;
  const row = { ...dispute, body };
  return (readBoolean(form, 'submit') ?? hasEvidence) ? submitEvidence(row, now) : row;
}

function commitDispute(call: SandboxCall, payment: FoundPayment, row: DisputeRow, types: DisputeEventType[]) {
  const body = disputeObject(row, payment.row);
  const events = disputeEvents(call, types, body, disputeObject(payment.dispute!, payment.row));
  return commitChange(call, buildDisputeUpdate(payment, row), okResponse(body), events);
}

export async function updateDispute(call: SandboxCall): Promise<SandboxResponse> {
  rejectUnknownFields(call.form, ['evidence', 'metadata', 'submit']);
  const { payment, dispute } = await findDispute(call);
  if (isClosed(dispute)) return respondWithoutChange(call, alreadyClosed);
  return commitDispute(call, payment, buildUpdatedDispute(call, dispute), ['charge.dispute.updated']);
}

/** Closing a dispute accepts it: a chargeback is lost, and an inquiry ends. */
export async function closeDispute(call: SandboxCall): Promise<SandboxResponse> {
  rejectUnknownFields(call.form);
  const { payment, dispute } = await findDispute(call);
  if (isClosed(dispute)) return respondWithoutChange(call, alreadyClosed);
  const status = dispute.status.startsWith('warning_') ? 'warning_closed' : 'lost';
  const { row, types } = changeDisputeStatus(dispute, status, payment.row, call.now);
  return commitDispute(call, payment, row, types);
}
