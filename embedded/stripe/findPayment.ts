import { desc, eq } from 'drizzle-orm';
import { placeholders, type ChangeStatement } from './commitChange';
import type { DisputeRow } from './disputeObject';
import { findIntent, type FoundIntent, type IntentSearch } from './readIntent';
import type { RefundRow } from './refundObject';
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
