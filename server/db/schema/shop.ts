import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { createdAtColumn, timestamptz } from './columns';
import { MAX_PRICE, MAX_QUANTITY, MAX_RATING, MIN_RATING } from '../../../src/contract/limits';

const literal = (value: number) => sql.raw(String(value));
/** PostgreSQL reads each check again for each statement. One array is read faster than `in` with a list. */
const oneOf = (...values: string[]) => sql.raw(`any ('{${values.join(',')}}'::text[])`);
/** The order in which rows were inserted. It is never shown or reused. */
const positionColumn = () => bigint('position', { mode: 'number' }).generatedAlwaysAsIdentity();

export const users = pgTable(
  'users',
  {
    id: text('id').primaryKey(),
    email: text('email').unique(),
    emailVerified: boolean('email_verified').notNull().default(false),
    displayName: text('display_name').notNull().default(''),
    role: text('role', { enum: ['member', 'admin'] })
      .notNull()
      .default('member'),
    sessionsValidFrom: timestamptz('sessions_valid_from')
      .notNull()
      .default(sql`'epoch'`),
    /** The time of the last PUT /user. */
    signedInAt: timestamptz('signed_in_at').notNull().defaultNow(),
    /** When the operator ended every session. ID tokens of earlier sign-ins get no access token. */
    signedOutAt: timestamptz('signed_out_at'),
    /** When the operator blocked this user. */
    blockedAt: timestamptz('blocked_at'),
    position: positionColumn(),
    createdAt: createdAtColumn(),
  },
  (t) => [
    check('users_role', sql`${t.role} in ('member', 'admin')`),
    check('users_admin_has_email', sql`${t.role} = 'member' or ${t.email} is not null`),
    index('users_position').on(t.position),
  ],
);

/** Sessions that ended by signing out. A session is one sign-in at the identity provider, identified by its time. */
export const endedSessions = pgTable(
  'ended_sessions',
  {
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    authTime: timestamptz('auth_time').notNull(),
    endedAt: timestamptz('ended_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.authTime] }), index('ended_sessions_age').on(t.endedAt)],
);

export const promotions = pgTable('promotions', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  /** Null means the operator, by `npm run admin` or ADMIN_EMAILS. */
  actorId: text('actor_id').references(() => users.id),
  targetId: text('target_id')
    .notNull()
    .references(() => users.id),
  role: text('role', { enum: ['member', 'admin'] }).notNull(),
  createdAt: createdAtColumn(),
});

export const profiles = pgTable('profiles', {
  userId: text('user_id')
    .primaryKey()
    .references(() => users.id),
  address: text('address').notNull(),
  education: text('education').notNull().default(''),
  phone: text('phone').notNull(),
  linkedIn: text('linked_in').notNull(),
});

export const tools = pgTable(
  'tools',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    position: positionColumn(),
    name: text('name').notNull(),
    price: integer('price').notNull(),
    minimumOrderQuantity: integer('minimum_order_quantity').notNull(),
    availableQuantity: integer('available_quantity').notNull(),
    /** Everything ever put into stock. It always equals available + held + sold. */
    stockedQuantity: integer('stocked_quantity').notNull(),
    description: text('description').notNull(),
    img: text('img').notNull(),
    /** A tool that is not on sale is not listed and cannot be ordered. Its orders stay. */
    onSale: boolean('on_sale').notNull().default(true),
    demo: boolean('demo').notNull().default(false),
    createdAt: createdAtColumn(),
  },
  (t) => [
    check('tools_price', sql`${t.price} between 1 and ${literal(MAX_PRICE)}`),
    check('tools_minimum', sql`${t.minimumOrderQuantity} between 1 and ${literal(MAX_QUANTITY)}`),
    check('tools_available', sql`${t.availableQuantity} between 0 and ${t.stockedQuantity}`),
    check('tools_stocked', sql`${t.stockedQuantity} >= 0`),
    uniqueIndex('tools_position').on(t.position),
    index('tools_name').on(t.name),
  ],
);

export const reviews = pgTable(
  'reviews',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    position: positionColumn(),
    authorId: text('author_id').references(() => users.id),
    name: text('name').notNull(),
    description: text('description').notNull(),
    ratings: integer('ratings').notNull(),
    img: text('img').notNull(),
    demo: boolean('demo').notNull().default(false),
    createdAt: createdAtColumn(),
  },
  (t) => [
    check('reviews_ratings', sql`${t.ratings} between ${literal(MIN_RATING)} and ${literal(MAX_RATING)}`),
    uniqueIndex('reviews_position').on(t.position),
  ],
);

/** SQL: the status of an order as the API shows it. */
export const ORDER_STATUS = `case when state = 'paid' and shipped_at is not null then 'shipped' else state end`;

/** SQL: the words by which an admin finds an order. */
export const ORDER_WORDS = `to_tsvector('simple', regexp_replace(
  email || ' ' || client || ' ' || product_name || ' ' || address, '[\\x21-\\x2f\\x3a-\\x40\\x5b-\\x60\\x7b-\\x7e]+', ' ', 'g'))`;

/**
 * SQL: the orders whose words are in the index. Most orders with a hold are paid or deleted soon, and computing their
 * words would make placing an order 3 % slower.
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
    /** Whole dollars per piece. Null means unpriced, so the order can't be paid. */
    unitPrice: integer('unit_price'),
    quantity: integer('quantity').notNull(),
    address: text('address').notNull(),
    phone: text('phone').notNull(),
    state: text('state', { enum: ['unpaid', 'paid', 'unpriced', 'deleted', 'refunded'] }).notNull(),
    /** Whether this order's quantity has been taken from the tool's available stock. */
    holdsStock: boolean('holds_stock').notNull(),
    holdUntil: timestamptz('hold_until'),
    /** Renewals never extend the hold beyond this time. */
    holdLastAt: timestamptz('hold_last_at'),
    /** When a hold of this order last ended unpaid. */
    holdEndedAt: timestamptz('hold_ended_at'),
    /** When the price was set or confirmed. An old price must be confirmed again before paying. */
    pricedAt: timestamptz('priced_at'),
    /** The owner's numbered slot for unpaid orders (MAX_UNPAID_ORDERS) or for unpriced orders that this order uses. */
    slot: integer('slot'),
    /** A lease: until then, only its owner may delete the order or end its hold at the payment provider. */
    deletingUntil: timestamptz('deleting_until'),
    deletedAt: timestamptz('deleted_at'),
    /** A shipped order keeps the state `paid`, which versions without shipments understand. */
    shippedAt: timestamptz('shipped_at'),
    refundedAt: timestamptz('refunded_at'),
    /** The state of the newest dispute over the payment. */
    dispute: text('dispute', { enum: ['open', 'won', 'lost'] }),
    refundFailed: boolean('refund_failed').notNull().default(false),
    createdAt: createdAtColumn(),
  },
  (t) => [
    check('orders_state', sql`${t.state} = ${oneOf('unpaid', 'paid', 'unpriced', 'deleted', 'refunded')}`),
    check('orders_quantity', sql`${t.quantity} between 1 and ${literal(MAX_QUANTITY)}`),
    check('orders_price', sql`${t.unitPrice} between 1 and ${literal(MAX_PRICE)}`),
    check('orders_unpriced', sql`${t.state} = 'deleted' or (${t.state} = 'unpriced') = (${t.unitPrice} is null)`),
    check('orders_paid_holds', sql`${t.state} <> 'paid' or ${t.holdsStock}`),
    check('orders_holding', sql`not ${t.holdsStock} or ${t.state} = ${oneOf('unpaid', 'paid', 'refunded')}`),
    check('orders_hold_ends', sql`(${t.state} = 'unpaid' and ${t.holdsStock}) = (${t.holdUntil} is not null)`),
    check('orders_deleted', sql`(${t.state} = 'deleted') = (${t.deletedAt} is not null)`),
    check('orders_shipped', sql`${t.shippedAt} is null or ${t.state} = ${oneOf('paid', 'refunded')}`),
    check('orders_refunded', sql`(${t.state} = 'refunded') = (${t.refundedAt} is not null)`),
    check('orders_dispute', sql`${t.dispute} = ${oneOf('open', 'won', 'lost')}`),
    uniqueIndex('orders_position').on(t.position),
    index('orders_owner')
      .on(t.ownerId, t.position.desc())
      .where(sql`state <> 'deleted'`),
    uniqueIndex('orders_slot')
      .on(t.ownerId, t.slot)
      .where(sql`state = 'unpaid'`),
    uniqueIndex('orders_unpriced_slot')
      .on(t.ownerId, t.slot)
      .where(sql`state = 'unpriced'`),
    index('orders_hold_ended')
      .on(t.ownerId, t.toolId, t.holdEndedAt)
      .where(sql`hold_ended_at is not null`),
    index('orders_hold')
      .on(t.holdUntil)
      .where(sql`state = 'unpaid' and holds_stock`),
    index('orders_tool')
      .on(t.toolId)
      .where(sql`holds_stock`),
    /** Queries use these two indexes only with exactly the same expressions and conditions. */
    index('orders_status')
      .on(sql`(${sql.raw(ORDER_STATUS)})`, t.position)
      .where(sql`state <> 'deleted'`),
    index('orders_search')
      .using('gin', sql`(${sql.raw(ORDER_WORDS)})`)
      .where(sql.raw(HAS_INDEXED_WORDS))
      .with({ gin_pending_list_limit: 256 }),
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

/** What admins did: who, what, when, and to which order, tool or review. */
export const adminActs = pgTable(
  'admin_acts',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    actorId: text('actor_id')
      .notNull()
      .references(() => users.id),
    act: text('act', { enum: ['ship order', 'offer price', 'refund order', 'edit tool', 'remove review'] }).notNull(),
    /** The id of the order, tool or review. */
    subject: text('subject').notNull(),
    detail: jsonb('detail').notNull(),
    createdAt: createdAtColumn(),
  },
  (t) => [index('admin_acts_subject').on(t.subject)],
);

/** The sum of the rows is the number of orders that are not deleted. Several rows reduce lock contention. */
export const orderCounts = pgTable('order_counts', {
  shard: integer('shard').primaryKey(),
  n: bigint('n', { mode: 'number' }).notNull(),
});

export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    /** Without a reference to the user, whom the order of the same statement refers to. */
    userId: text('user_id').notNull(),
    call: text('call').notNull(),
    key: text('key').notNull(),
    bodyHash: text('body_hash').notNull(),
    answer: jsonb('answer').notNull(),
    createdAt: createdAtColumn(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.call, t.key] }), index('idempotency_keys_age').on(t.createdAt)],
);

/** Secrets that the shop generated once. */
export const secrets = pgTable('secrets', {
  name: text('name').primaryKey(),
  value: text('value').notNull(),
  createdAt: createdAtColumn(),
});

/** Counters of limits that apply across all copies of the server. */
export const rateLimits = pgTable(
  'rate_limits',
  {
    bucket: text('bucket').primaryKey(),
    hits: integer('hits').notNull(),
    resetsAt: timestamptz('resets_at').notNull(),
  },
  (t) => [index('rate_limits_end').on(t.resetsAt)],
);
