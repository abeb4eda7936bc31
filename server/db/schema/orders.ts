import { getTableColumns, sql } from 'drizzle-orm';
import { bigint, boolean, check, index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { createdAtColumn, numberLiteral, positionColumn, timestamptz } from './columns';
import { MAX_PRICE, MAX_QUANTITY } from '../../../src/contract/limits';
import { tools, users } from './shop';

/** SQL: the status of an order in the API. */
export const ORDER_STATUS = `case when state = 'paid' and shipped_at is not null then 'shipped' else state end`;

/**
 * The ranges of a regular expression, for SQL and for JavaScript: accents, and characters between words, such as spaces,
 * quotation marks, dashes and symbols. Both are removed after a Unicode decomposition, as in `contract/searchText`.
 */
export const ACCENTS = '\\u0300-\\u036f\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u20d0-\\u20ff';
export const WORD_SEPARATORS =
  '\\u0001-\\u002f\\u003a-\\u0040\\u005b-\\u0060\\u007b-\\u00bf\\u00d7\\u00f7\\u2000-\\u206f\\u2190-\\u2bff\\u2e00-\\u2e7f\\u3000-\\u3004\\u3008-\\u3020';

/** SQL: the words by which an admin can find an order. Some managed databases refuse the extension `pg_trgm`. */
export const ORDER_WORDS = `to_tsvector('simple', regexp_replace(regexp_replace(
  normalize(email || ' ' || client || ' ' || product_name || ' ' || address || ' ' || reference, NFKD), '[${ACCENTS}]+', '', 'g'),
  '[${WORD_SEPARATORS}]+', ' ', 'g'))`;

/**
 * SQL: whether an order's words are indexed. Most orders with a hold are soon paid or deleted, so indexing their words
 * would only slow down placing an order.
 */
export const HAS_INDEXED_WORDS = `state <> 'deleted' and (state <> 'unpaid' or not holds_stock)`;

export const orders = pgTable(
  'orders',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    position: positionColumn(),
    ownerId: text('owner_id')
      .notNull()
      .references(() => users.id),
    email: text('email').notNull(),
    client: text('client').notNull(),
    toolId: uuid('tool_id')
      .notNull()
      .references(() => tools.id),
    productName: text('product_name').notNull(),
    /** The price of one piece in whole dollars. Null means unpriced, so the order can't be paid. */
    unitPrice: integer('unit_price'),
    quantity: integer('quantity').notNull(),
    address: text('address').notNull(),
    phone: text('phone').notNull(),
    reference: text('reference').notNull().default(''),
    state: text('state', { enum: ['unpaid', 'paid', 'unpriced', 'deleted', 'refunded'] }).notNull(),
    /** Whether the order's quantity was subtracted from the tool's available quantity. */
    holdsStock: boolean('holds_stock').notNull(),
    /** When the current or last hold began. Null in orders that earlier versions stored. */
    holdStartedAt: timestamptz('hold_started_at'),
    holdUntil: timestamptz('hold_until'),
    /** Starting a payment never extends the hold beyond this time. Only a payment that is in progress then does. */
    holdLastAt: timestamptz('hold_last_at'),
    /** When this order's last hold ended without a payment. */
    holdEndedAt: timestamptz('hold_ended_at'),
    /**
     * When the price was set or last compared with the tool's price. If that was long ago, it is compared again before
     * a payment.
     */
    pricedAt: timestamptz('priced_at'),
    /** Whether an admin offered the price. Such an order does not count toward the customer's limits. */
    offered: boolean('offered').notNull().default(false),
    /** Unused, but the previous version names it in its statements. */
    slot: integer('slot'),
    /** A lease. Until it ends, only the request or sweep that claimed the order may delete it, price it or end its hold. */
    claimedUntil: timestamptz('deleting_until'),
    deletedAt: timestamptz('deleted_at'),
    /**
     * Shipping an order does not change its `state`, because earlier versions without shipments can run beside this one
     * and know only `paid`.
     */
    shippedAt: timestamptz('shipped_at'),
    refundedAt: timestamptz('refunded_at'),
    /** The state of the payment's disputes: an open one counts first, and then a lost one. */
    dispute: text('dispute', { enum: ['open', 'won', 'lost'] }),
    refundFailed: boolean('refund_failed').notNull().default(false),
    createdAt: createdAtColumn(),
  },
  (t) => [
    check('orders_state', sql`${t.state} in ('unpaid', 'paid', 'unpriced', 'deleted', 'refunded')`),
    check('orders_quantity', sql`${t.quantity} between 1 and ${numberLiteral(MAX_QUANTITY)}`),
    check('orders_price', sql`${t.unitPrice} between 1 and ${numberLiteral(MAX_PRICE)}`),
    check('orders_unpriced', sql`${t.state} = 'deleted' or (${t.state} = 'unpriced') = (${t.unitPrice} is null)`),
    check('orders_paid_holds', sql`${t.state} <> 'paid' or ${t.holdsStock}`),
    check('orders_holding', sql`not ${t.holdsStock} or ${t.state} in ('unpaid', 'paid', 'refunded')`),
    check('orders_hold_ends', sql`(${t.state} = 'unpaid' and ${t.holdsStock}) = (${t.holdUntil} is not null)`),
    check('orders_deleted', sql`(${t.state} = 'deleted') = (${t.deletedAt} is not null)`),
    check('orders_shipped', sql`${t.shippedAt} is null or ${t.state} in ('paid', 'refunded')`),
    check('orders_refunded', sql`(${t.state} = 'refunded') = (${t.refundedAt} is not null)`),
    check('orders_dispute', sql`${t.dispute} in ('open', 'won', 'lost')`),
    uniqueIndex('orders_position').on(t.position),
    index('orders_owner')
      .on(t.ownerId, t.position.desc())
      .where(sql`state <> 'deleted'`),
    index('orders_open')
      .on(t.ownerId)
      .concurrently()
      .where(sql`state in ('unpaid', 'unpriced')`),
    index('orders_email')
      .on(t.email, t.position)
      .concurrently()
      .where(sql`state <> 'deleted'`),
    index('orders_hold')
      .on(t.holdUntil)
      .where(sql`state = 'unpaid' and holds_stock`),
    index('orders_held')
      .on(t.toolId)
      .concurrently()
      .where(sql`state = 'unpaid' and holds_stock`),
    index('orders_deleted')
      .on(t.deletedAt)
      .concurrently()
      .where(sql`state = 'deleted'`),
    /** PostgreSQL uses the next two indexes only for queries with exactly the same expressions and conditions. */
    index('orders_status')
      .on(sql`(${sql.raw(ORDER_STATUS)})`, t.position)
      .where(sql`state <> 'deleted'`),
    index('orders_find')
      .using('gin', sql`(${sql.raw(ORDER_WORDS)})`)
      .where(sql.raw(HAS_INDEXED_WORDS)),
  ],
);

/** What an order says about its customer, by the names of the API. It is blanked once nobody needs it. */
const { client, email, address, phone, reference } = getTableColumns(orders);
export const personalColumns = { client, email, address, phone, reference };
export const PERSONAL_NAMES = Object.keys(personalColumns) as (keyof typeof personalColumns)[];
export const WITHOUT_PERSONAL_DATA = Object.fromEntries(PERSONAL_NAMES.map((name) => [name, '']));

/**
 * How long customers held stock that they did not pay for, at most 15 minutes of each hold. The rows are independent of
 * the orders, so that deleting an order does not reset the customer's limits. They are not foreign keys, because checking
 * the keys would lock the customer's row after the order's.
 */
export const endedHolds = pgTable(
  'ended_holds',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    ownerId: text('owner_id').notNull(),
    toolId: uuid('tool_id').notNull(),
    heldSeconds: integer('held_seconds').notNull(),
    endedAt: timestamptz('ended_at').notNull(),
  },
  (t) => [
    check('ended_holds_seconds', sql`${t.heldSeconds} between 1 and 900`),
    index('ended_holds_owner').on(t.ownerId, t.toolId, t.endedAt),
  ],
);

export const shipments = pgTable('shipments', {
  orderId: uuid('order_id')
    .primaryKey()
    .references(() => orders.id),
  carrier: text('carrier').notNull(),
  tracking: text('tracking').notNull(),
  link: text('link'),
  note: text('note'),
  createdAt: createdAtColumn(),
});

/** A log of what admins did to orders, tools and reviews. */
export const adminActs = pgTable(
  'admin_acts',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    actorId: text('actor_id')
      .notNull()
      .references(() => users.id),
    act: text('act', {
      enum: [
        'ship order',
        'correct shipment',
        'offer price',
        'refund order',
        'delete order',
        'add tool',
        'edit tool',
        'remove review',
      ],
    }).notNull(),
    /** The id of the order, tool or review. */
    subject: text('subject').notNull(),
    detail: jsonb('detail').notNull(),
    createdAt: createdAtColumn(),
  },
  (t) => [index('admin_acts_subject').on(t.subject)],
);
