import { okResponse, type SandboxResponse, type SandboxCall } from './call';
import { cardPlanOf } from './cardPlans';
import { respondWithoutChange, commitChange, type ChangeStatement } from './commitChange';
import { isRefundable } from './disputeObject';
import { findPayment, versionedChange, versionedPlaceholders, type FoundPayment } from './findPayment';
import { rejectUnknownFields, readRequiredText, readInteger, readSection, type Form } from './form';
import { newId } from './ids';
import { paidChargeOf } from './intentObject';
import { rethrowAsParameterError } from './readIntent';
import { refundedCents, refundObject, type RefundRow } from './refundObject';
import { eventObject } from './sandboxEvents';
import { errorResponse, invalidRequest } from './stripeErrors';

const formatDollars = (cents: number) => `$${(cents / 100).toFixed(2)}`;

function readRefundParameters(form: Form) {
  rejectUnknownFields(form, ['payment_intent', 'amount', 'metadata']);
  const amount = readInteger(form, 'amount');
  if (amount !== null && amount < 1)
    throw invalidRequest(400, 'This value must be greater than or equal to 1.', 'parameter_invalid_integer', 'amount');
  return { amount, metadata: readSection(form, 'metadata') };
}

/** @returns Stripe's error response if the payment cannot be refunded, or null */
function findRefundRefusal({ row, refunds, dispute }: FoundPayment, amount: number | null): SandboxResponse | null {
  const refuse = (message: string, code?: string, param?: string) =>
    errorResponse(invalidRequest(400, message, code, param));
  if (row.status !== 'succeeded')
    return refuse(`This PaymentIntent (${row.id}) does not have a successful charge to refund.`);
  if (dispute && !isRefundable(dispute))
    return refuse(`Charge ${row.chargeId} has been charged back; cannot issue a refund.`, 'charge_disputed');
  const remainingCents = row.amount - refundedCents(refunds);
  if (remainingCents === 0)
    return refuse(`Charge ${row.chargeId} has already been refunded.`, 'charge_already_refunded');
  if (amount === null || amount <= remainingCents) return null;
  const message = `Refund amount (${formatDollars(amount)}) is greater than unrefunded amount on charge (${formatDollars(remainingCents)})`;
  return refuse(message, undefined, 'amount');
}

function newRefund(
  call: SandboxCall,
  payment: FoundPayment,
  parameters: ReturnType<typeof readRefundParameters>,
): RefundRow {
  const { row, refunds, method } = payment;
  const plan = cardPlanOf(method?.outcome ?? '').refund;
  return {
    ...parameters,
    id: newId('re'),
    intentId: row.id,
    amount: parameters.amount ?? row.amount - refundedCents(refunds),
    status: plan?.status ?? 'succeeded',
    nextStatus: plan?.next ?? null,
    nextStatusAt: plan ? new Date(call.now.getTime() + plan.afterMs) : null,
    failureReason: null,
    createdAt: call.now,
  };
}

const COLUMNS = 'id, intent_id, amount, status, metadata, next_status, next_status_at, created_at';
const [ID, INTENT, AMOUNT, STATUS, METADATA, NEXT, NEXT_AT, CREATED] = versionedPlaceholders(8);
const INSERT = `
  insert into embedded_stripe.refunds (${COLUMNS})
  select ${ID}, ${INTENT}, ${AMOUNT}::bigint, ${STATUS}, ${METADATA}::jsonb, ${NEXT},
    ${NEXT_AT}::timestamptz, ${CREATED}::timestamptz from change`;

function buildRefundInsert(refund: RefundRow, payment: FoundPayment): ChangeStatement {
  const { id, intentId, amount, status, metadata, nextStatus, nextStatusAt, createdAt } = refund;
  const values = [id, intentId, amount, status, metadata, nextStatus, nextStatusAt, createdAt];
  return versionedChange('create refund', payment, INSERT, values);
}

export async function createRefund(call: SandboxCall): Promise<SandboxResponse> {
  const parameters = readRefundParameters(call.form);
  const id = readRequiredText(call.form, 'payment_intent');
  const payment = await findPayment({ ...call, id }).catch(rethrowAsParameterError(id));
  const refusal = findRefundRefusal(payment, parameters.amount);
  if (refusal) return respondWithoutChange(call, refusal);
  const refund = newRefund(call, payment, parameters);
  const body = refundObject(refund, payment.row);
  const events = [
    eventObject(call, 'refund.created', body),
    eventObject(call, 'charge.refunded', paidChargeOf(payment.row)),
  ];
  return commitChange(call, buildRefundInsert(refund, payment), okResponse(body), events);
}
