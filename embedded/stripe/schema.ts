import { sql } from 'drizzle-orm';
import { bigint, check, index, integer, jsonb, pgSchema, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core';

export const sandboxSchema = pgSchema('embedded_stripe');

const timestampColumn = (name: string) => timestamp(name, { withTimezone: true });
const createdAtColumn = () => timestampColumn('created_at').notNull().defaultNow();

export const sandboxPaymentMethods = sandboxSchema.table('payment_methods', {
  id: text('id').primaryKey(),
  /** The outcome of paying with this card, whose number is never stored. */
  outcome: text('outcome').notNull(),
  body: jsonb('body').notNull(),
  createdAt: createdAtColumn(),
});

export const sandboxIntents = sandboxSchema.table(
  'intents',
  {
    id: text('id').primaryKey(),
    clientSecret: text('client_secret').notNull(),
    status: text('status').notNull(),
    amount: bigint('amount', { mode: 'number' }).notNull(),
    amountReceived: bigint('amount_received', { mode: 'number' }).notNull().default(0),
    currency: text('currency').notNull(),
    paymentMethodId: text('payment_method_id').references(() => sandboxPaymentMethods.id),
    chargeId: text('charge_id').unique('sandbox_intents_charge_id_unique'),
    metadata: jsonb('metadata').notNull(),
    body: jsonb('body').notNull(),
    /**
     * Grows with every change of this row, its refunds or its dispute. A change that is based on an older version
     * fails.
     */
    version: integer('version').notNull().default(0),
    createdAt: createdAtColumn(),
  },
  (t) => [
    check('sandbox_intents_amount', sql`${t.amount} > 0`),
    check('sandbox_intents_charged', sql`(${t.status} = 'succeeded') = (${t.amountReceived} = ${t.amount})`),
    index('sandbox_intents_age').on(t.createdAt),
    uniqueIndex('sandbox_intents_method').on(t.paymentMethodId),
  ],
);

export const sandboxRefunds = sandboxSchema.table(
  'refunds',
  {
    id: text('id').primaryKey(),
    intentId: text('intent_id')
      .notNull()
      .references(() => sandboxIntents.id),
    amount: bigint('amount', { mode: 'number' }).notNull(),
    status: text('status').notNull(),
    metadata: jsonb('metadata').notNull(),
    /** The refund changes to this status at `nextStatusAt`. Null if its status is final, as with most test cards. */
    nextStatus: text('next_status'),
    nextStatusAt: timestampColumn('next_status_at'),
    failureReason: text('failure_reason'),
    createdAt: createdAtColumn(),
  },
  (t) => [
    check('sandbox_refunds_amount', sql`${t.amount} > 0`),
    index('sandbox_refunds_intent').on(t.intentId),
    index('sandbox_refunds_due')
      .on(t.nextStatusAt)
      .where(sql`next_status is not null`),
  ],
);

export const sandboxDisputes = sandboxSchema.table(
  'disputes',
  {
    id: text('id').primaryKey(),
    intentId: text('intent_id')
      .notNull()
      .unique('sandbox_disputes_intent_id_unique')
      .references(() => sandboxIntents.id),
    amount: bigint('amount', { mode: 'number' }).notNull(),
    reason: text('reason').notNull(),
    status: text('status').notNull(),
    /** The dispute changes to this status at `nextStatusAt`, unless a call changes it earlier. */
    nextStatus: text('next_status'),
    nextStatusAt: timestampColumn('next_status_at'),
    body: jsonb('body').notNull(),
    createdAt: createdAtColumn(),
  },
  (t) => [
    check('sandbox_disputes_amount', sql`${t.amount} > 0`),
    index('sandbox_disputes_due')
      .on(t.nextStatusAt)
      .where(sql`next_status is not null`),
  ],
);

export const sandboxIdempotency = sandboxSchema.table('idempotency', {
  key: text('key').primaryKey(),
  requestHash: text('request_hash').notNull(),
  status: integer('status').notNull(),
  body: jsonb('body').notNull(),
  createdAt: createdAtColumn(),
});

export const sandboxEvents = sandboxSchema.table(
  'events',
  {
    id: text('id').primaryKey(),
    type: text('type').notNull(),
    body: jsonb('body').notNull(),
    attempts: integer('attempts').notNull().default(0),
    nextAttemptAt: timestampColumn('next_attempt_at').notNull().defaultNow(),
    deliveredAt: timestampColumn('delivered_at'),
    createdAt: createdAtColumn(),
  },
  (t) => [
    index('sandbox_events_due')
      .on(t.nextAttemptAt)
      .where(sql`delivered_at is null`),
  ],
);
