import { and, eq, gte, sql } from 'drizzle-orm';
import { setTimeout as sleep } from 'node:timers/promises';
import { payments } from '../db/schema';
import { addMs, HOUR_MS } from '../db/time';
import { listKnownRefunds } from '../payments/checkRefunds';
import type { PaymentContext } from '../payments/context';
import type { Finding } from './finding';
import type { PaymentIntent } from '../payments/provider';
import { filterUnrecorded, listSucceededSince } from '../payments/reconcile';
import { refundStateOf } from '../payments/recordRefund';
import { recordedRefundCents } from '../payments/refundConditions';

export type AuditContext = Pick<PaymentContext, 'db' | 'provider' | 'shopId' | 'now'>;

const LOOK_BACK_MS = 48 * HOUR_MS;
/**
 * A payment that has just succeeded may not be recorded yet. Before it is reported, the audit waits this long and looks
 * again.
 */
const SETTLES_WITHIN_MS = 3_000;

/**
 * Finds payments that succeeded at the provider but are not recorded. Adds the amounts of all that succeeded to
 * `receivedCents`, by the ids of their intents.
 */
async function auditReceived(ctx: AuditContext, since: Date, receivedCents: Map<string, number>): Promise<Finding[]> {
  const found: Finding[] = [];
  for await (const batch of listSucceededSince(ctx, since)) {
    for (const intent of batch) receivedCents.set(intent.id, intent.receivedCents);
    const missing = await filterUnrecorded(ctx.db, batch);
    if (missing.length > 0) await sleep(SETTLES_WITHIN_MS);
    for (const { id, receivedCents: cents, currency } of await filterUnrecorded(ctx.db, missing))
      found.push({
        name: 'succeeded_not_recorded',
        subject: id,
        detail: `The provider received ${cents} cents (${currency}), but no payment is recorded.`,
      });
  }
  return found;
}

const describeIntent = (intent: PaymentIntent | null) =>
  intent
    ? `received ${intent.receivedCents} cents (${intent.currency}) and reports the status ${intent.status}`
    : 'has no such payment';

/** Finds recorded payments that did not succeed at the provider, or that have a different amount there. */
async function auditRecorded(ctx: AuditContext, since: Date, receivedCents: Map<string, number>): Promise<Finding[]> {
  const found: Finding[] = [];
  const recorded = await ctx.db
    .select({ id: payments.intentId, cents: payments.amountCents, currency: payments.currency })
    .from(payments)
    .where(and(gte(payments.createdAt, since), eq(payments.ofOriginal, false)));
  for (const { id, cents, currency } of recorded) {
    if (receivedCents.get(id) === cents) continue;
    const intent = await ctx.provider.findIntent(id);
    if (intent?.status === 'succeeded' && intent.receivedCents === cents) continue;
    const detail = `${cents} cents (${currency}) are recorded, but the provider ${describeIntent(intent)}.`;
    found.push({ name: 'recorded_not_succeeded', subject: id, detail });
  }
  return found;
}

/** @returns how many cents of a payment the provider has refunded or is refunding */
async function readRefundedCents({ provider }: AuditContext, intentId: string): Promise<number> {
  const listed = await provider.listRefunds(intentId);
  return listed.reduce((sum, refund) => (refundStateOf(refund) === 'failed' ? sum : sum + refund.amountCents), 0);
}

async function readRecorded({ db }: AuditContext, intentId: string) {
  const { rows } = await db.execute<{ cents: string; currency: string }>(sql`
    select ${recordedRefundCents} as cents, currency from payments p where intent_id = ${intentId}`);
  return { cents: Number(rows[0]!.cents), currency: rows[0]!.currency };
}

/** Checks whether all of the provider's refunds of this payment are recorded. */
async function auditRefunded(ctx: AuditContext, intentId: string): Promise<Finding[]> {
  const cents = await readRefundedCents(ctx, intentId);
  if ((await readRecorded(ctx, intentId)).cents >= cents) return [];
  await sleep(SETTLES_WITHIN_MS);
  const recorded = await readRecorded(ctx, intentId);
  if (recorded.cents >= cents) return [];
  const known = recorded.cents === 0 ? 'no refund is' : `only ${recorded.cents} are`;
  const detail = `The provider refunded ${cents} cents (${recorded.currency}), but ${known} recorded.`;
  return [{ name: 'refund_not_recorded', subject: intentId, detail }];
}

/** Finds payments of which the provider has refunded less than is recorded, or nothing. */
async function auditRecordedRefunds(ctx: AuditContext, since: Date): Promise<Finding[]> {
  const found: Finding[] = [];
  const { rows } = await ctx.db.execute<{ intentId: string }>(sql`
    select payment_id as "intentId" from refunds where state in ('pending', 'succeeded') and updated_at >= ${since}
    except select intent_id from payments where of_original`);
  for (const { intentId } of rows) {
    const actual = await readRefundedCents(ctx, intentId);
    const { cents } = await readRecorded(ctx, intentId);
    if (actual >= cents) continue;
    const detail = `Refunds of ${cents} cents are recorded, but the provider refunded ${actual} cents.`;
    found.push({ name: 'recorded_not_refunded', subject: intentId, detail });
  }
  return found;
}

/**
 * Compares the payments and refunds in the database with those at the provider, in both directions.
 * @param isComplete whether to compare all of them, instead of those of the last 48 hours
 * @throws PaymentProviderDown if the provider cannot be reached
 */
export async function auditProvider(ctx: AuditContext, isComplete = false): Promise<Finding[]> {
  const since = isComplete ? new Date(0) : addMs(ctx.now(), -LOOK_BACK_MS);
  const receivedCents = new Map<string, number>();
  const found = [
    ...(await auditReceived(ctx, since, receivedCents)),
    ...(await auditRecorded(ctx, since, receivedCents)),
  ];
  const refunded = new Set<string>();
  for await (const batch of listKnownRefunds(ctx, since)) for (const { intentId } of batch) refunded.add(intentId);
  for (const intentId of refunded) found.push(...(await auditRefunded(ctx, intentId)));
  return [...found, ...(await auditRecordedRefunds(ctx, since))];
}
