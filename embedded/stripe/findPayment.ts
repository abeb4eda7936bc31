import { desc, eq } from 'drizzle-orm';
import { chargeObject, type Charge } from './chargeObject';
import { placeholders, type ChangeStatement } from './commitChange';
import type { DisputeRow } from './disputeObject';
import { chargesOf } from './intentObject';
import { findIntent, type FoundIntent, type IntentSearch } from './readIntent';
import { refundedCents, refundObject, type RefundRow } from './refundObject';
import { sandboxDisputes, sandboxRefunds } from './schema';

/** An intent with its dispute and its refunds, newest first. Changing any of them increases `version`. */
export interface FoundPayment extends FoundIntent {
  refunds: RefundRow[];
  dispute: DisputeRow | null;
}

export async function findPayment(search: IntentSearch): Promise<FoundPayment> {
  const found = await findIntent(search);
  const { db, id } = search;
  const { createdAt, intentId } = sandboxRefunds;
  const order = [desc(createdAt), desc(sandboxRefunds.id)];
  const refunds = await db
    .select()
    .from(sandboxRefunds)
    .where(eq(intentId, id))
    .orderBy(...order);
  const [dispute = null] = await db.select().from(sandboxDisputes).where(eq(sandboxDisputes.intentId, id));
  return { ...found, refunds, dispute };
}

/** As in Stripe's API, a charge object contains only its newest refunds. */
const LISTED_REFUNDS = 10;

/**
 * Adds refunds and the dispute to a stored charge. They are not stored with it, because they have tables of their own.
 */
export function withReversals(charge: Charge, { row, refunds, dispute }: FoundPayment) {
  if (charge.status !== 'succeeded') return charge;
  const amount_refunded = refundedCents(refunds);
  return {
    ...charge,
    amount_refunded,
    disputed: dispute !== null,
    refunded: amount_refunded === charge.amount,
    refunds: {
      object: 'list' as const,
      data: refunds.slice(0, LISTED_REFUNDS).map((refund) => refundObject(refund, row)),
      has_more: refunds.length > LISTED_REFUNDS,
      url: `/v1/charges/${charge.id}/refunds`,
    },
  };
}

/**
 * @returns the successful charge. Earlier versions did not store it. For their payments, it is rebuilt from the intent.
 */
export function findPaidCharge(payment: FoundPayment) {
  const { row, method } = payment;
  const storedCharge = chargesOf(row).find(({ id }) => id === row.chargeId);
  const charge = storedCharge ?? chargeObject(row.chargeId!, { row, method: method!.body, now: row.createdAt });
  return withReversals(charge, payment);
}

const [ID, VERSION] = placeholders(2);
const VERSION_VALUES = 2;

/** The placeholders of a change that checks the version. They come after those of the id and the version. */
export const versionedPlaceholders = (count: number) => placeholders(count, VERSION_VALUES);

/**
 * Optimistic locking. Of several concurrent changes to a payment, only the first finds the version that it has read.
 * The others change nothing.
 */
const CHECK_VERSION = `
  update embedded_stripe.intents set version = version + 1 where id = ${ID} and version = ${VERSION}::integer returning id`;

export const versionedChange = (
  name: string,
  { row, version }: FoundIntent,
  statement: string,
  values: unknown[],
): ChangeStatement => ({ name, sql: CHECK_VERSION, values: [row.id, version, ...values], also: statement });
