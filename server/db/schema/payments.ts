import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { createdAtColumn, timestamptz } from './columns';
import { orders } from './orders';
import { users } from './shop';

export const paymentAttempts = pgTable(
  'payment_attempts',
  {
    orderId: uuid('order_id')
      .notNull()
      .references(() => orders.id),
    n: integer('n').notNull(),
    idempotencyKey: text('idempotency_key').notNull().unique(),
    intentId: text('intent_id').unique(),
    amountCents: bigint('amount_cents', { mode: 'number' }).notNull(),
    currency: text('currency').notNull(),
    state: text('state', { enum: ['open', 'succeeded', 'canceled'] })
      .notNull()
      .default('open'),
    leaseUntil: timestamptz('lease_until').notNull(),
    /** Unused, but the previous version names it in its statements. */
    refusedUntil: timestamptz('refused_until'),
    /** The network that last asked for the intent. Null in attempts of the previous version. */
    network: text('network'),
    /** When the sweep last checked this attempt at the provider, or when the attempt began. */
    checkedAt: timestamptz('checked_at'),
    createdAt: createdAtColumn(),
  },
  (t) => [
    primaryKey({ columns: [t.orderId, t.n] }),
    check('payment_attempts_state', sql`${t.state} in ('open', 'succeeded', 'canceled')`),
    check('payment_attempts_amount', sql`${t.amountCents} > 0`),
    uniqueIndex('payment_attempts_one_open')
      .on(t.orderId)
      .where(sql`state = 'open'`),
    index('payment_attempts_open')
      .on(t.checkedAt.asc().nullsFirst())
      .where(sql`state = 'open'`),
  ],
);

/** Declined cards of the last hour. Older rows are deleted. */
export const declines = pgTable(
  'declines',
  {
    /** The provider's id of the charge, so that a decline counts once, however often it is reported. */
    chargeId: text('charge_id').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    network: text('network'),
    at: timestamptz('at').notNull(),
  },
  (t) => [index('declines_user').on(t.userId, t.at), index('declines_network').on(t.network, t.at)],
);

/**
 * One row for each intent that brought money. `paid` means that the money paid for the order. `refund due` means that
 * it could not. The primary key prevents recording an intent twice.
 */
export const payments = pgTable(
  'payments',
  {
    intentId: text('intent_id').primaryKey(),
    /** Null if the intent's metadata names an order that does not exist. */
    orderId: uuid('order_id').references(() => orders.id),
    /**
     * The default is for the previous version, which can run beside this one. That version inserts paid intents without
     * an outcome.
     */
    outcome: text('outcome', { enum: ['paid', 'refund due'] })
      .notNull()
      .default('paid'),
    amountCents: bigint('amount_cents', { mode: 'number' }).notNull(),
    currency: text('currency').notNull(),
    /** The brand and the last four digits of the card. Null in payments that earlier versions recorded. */
    cardBrand: text('card_brand'),
    cardLast4: text('card_last4'),
    /**
     * Why the money must be refunded. A `paid` row has a reason only if an earlier version recorded the intent both as
     * paid and as due to be refunded.
     */
    reason: text('reason'),
    /** When the money was returned to the customer, or when the operator recorded that. */
    returnedAt: timestamptz('returned_at'),
    /** Whether the original of this restored copy took the money. Then only the original may refund it. */
    ofOriginal: boolean('of_original').notNull().default(false),
    /** The number of the invoice. Null until the sweep numbers a payment that the previous version recorded. */
    invoice: text('invoice'),
    /** The seller's lines on the invoice. All else that it says is in the payment and its order, and never changes. */
    seller: text('seller'),
    createdAt: createdAtColumn(),
  },
  (t) => [
    check('payments_outcome', sql`${t.outcome} in ('paid', 'refund due')`),
    check('payments_amount', sql`${t.outcome} <> 'paid' or ${t.amountCents} > 0`),
    check('payments_paid_order', sql`${t.outcome} <> 'paid' or ${t.orderId} is not null`),
    check('payments_reason', sql`${t.outcome} = 'paid' or ${t.reason} is not null`),
    uniqueIndex('payments_one_paid')
      .on(t.orderId)
      .where(sql`outcome = 'paid'`),
    index('payments_order').on(t.orderId).concurrently(),
    uniqueIndex('payments_invoice').on(t.invoice).concurrently(),
    index('payments_unnumbered')
      .on(t.createdAt)
      .concurrently()
      .where(sql`outcome = 'paid' and invoice is null`),
    index('payments_due')
      .on(t.createdAt)
      .concurrently()
      .where(sql`outcome = 'refund due' and returned_at is null`),
  ],
);

/** Disputes, as the provider reports them. The table also has refunds, which an earlier version stored here. */
export const paymentReversals = pgTable(
  'payment_reversals',
  {
    id: text('id').primaryKey(),
    kind: text('kind', { enum: ['refund', 'dispute'] }).notNull(),
    intentId: text('intent_id').notNull(),
    orderId: uuid('order_id').references(() => orders.id),
    amountCents: bigint('amount_cents', { mode: 'number' }).notNull(),
    /** The provider's status: `needs_response`, `won`, `lost` and so on. */
    status: text('status').notNull(),
    updatedAt: timestamptz('updated_at').notNull().defaultNow(),
    createdAt: createdAtColumn(),
  },
  (t) => [
    check('payment_reversals_kind', sql`${t.kind} in ('refund', 'dispute')`),
    check('payment_reversals_amount', sql`${t.amountCents} > 0`),
    index('payment_reversals_order').on(t.orderId),
    index('payment_reversals_intent').on(t.intentId),
  ],
);

/**
 * One row for each refund of a payment: requested by an admin, made by the shop for late money, or made at the provider.
 */
export const refunds = pgTable(
  'refunds',
  {
    /** Part of the idempotency key, and of the metadata of the refund at the provider. */
    id: uuid('id').primaryKey().defaultRandom(),
    paymentId: text('payment_id')
      .notNull()
      .references(() => payments.intentId),
    /** Only for the previous version, which knows one refund of a payment: its first one. */
    firstOfIntent: text('intent_id')
      .unique()
      .references(() => payments.intentId),
    orderId: uuid('order_id').references(() => orders.id),
    amountCents: bigint('amount_cents', { mode: 'number' }).notNull(),
    currency: text('currency').notNull(),
    /** Null if the refund is not about pieces, for example one of part of the payment that was made at the provider. */
    pieces: integer('pieces'),
    /** How many pieces return to the stock when the refund takes effect. */
    restockPieces: integer('restock_pieces').notNull().default(0),
    /** Only for the previous version, which returns all pieces or none. */
    restock: boolean('restock').notNull().default(false),
    reason: text('reason').notNull(),
    /** The number of the credit note. */
    number: text('number').unique(),
    /** The admin who requested the refund. Null if no admin did. */
    requestedBy: text('requested_by').references(() => users.id),
    state: text('state', { enum: ['requested', 'pending', 'succeeded', 'failed'] })
      .notNull()
      .default('requested'),
    /** The try number is part of the idempotency key. It grows when the provider has failed for ten minutes. */
    tries: integer('tries').notNull().default(0),
    /** The provider's id of the refund. */
    refundId: text('refund_id').unique(),
    /** Why the provider refused the refund, or why it failed. */
    error: text('error'),
    /**
     * When the shop last sent this refund or asked the provider about it. In the state `requested`, the lease of the
     * server that sends the refund begins at this time.
     */
    checkedAt: timestamptz('checked_at'),
    /** When the refund took effect on money and stock. It keeps this time if it fails later. */
    doneAt: timestamptz('done_at'),
    createdAt: createdAtColumn(),
    updatedAt: timestamptz('updated_at').notNull().defaultNow(),
  },
  (t) => [
    check('refunds_state', sql`${t.state} in ('requested', 'pending', 'succeeded', 'failed')`),
    check('refunds_amount', sql`${t.amountCents} > 0`),
    check('refunds_pieces', sql`${t.pieces} > 0`),
    check('refunds_restock', sql`${t.restockPieces} >= 0`),
    index('refunds_order').on(t.orderId),
    index('refunds_payment').on(t.paymentId),
    uniqueIndex('refunds_one_requested')
      .on(t.paymentId)
      .where(sql`state = 'requested'`),
    index('refunds_open')
      .on(t.checkedAt.asc().nullsFirst())
      .where(sql`state in ('requested', 'pending')`),
  ],
);

/** The last number of each series. A number is taken in the transaction of what it numbers, so there are no gaps. */
export const paperNumbers = pgTable('paper_numbers', {
  series: text('series', { enum: ['invoice', 'credit'] }).primaryKey(),
  last: integer('last').notNull(),
});

export const providerEvents = pgTable('provider_events', {
  id: text('id').primaryKey(),
  type: text('type').notNull(),
  createdAt: createdAtColumn(),
});
