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
import { created, moment } from './columns';
import { MAX_PRICE, MAX_QUANTITY, MAX_RATING, MIN_RATING } from '../../../src/contract/limits';

const n = (value: number) => sql.raw(String(value));
/** The order in which rows were made: never shown, never reused. */
const position = () => bigint('position', { mode: 'number' }).generatedAlwaysAsIdentity();

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
    sessionsValidFrom: moment('sessions_valid_from')
      .notNull()
      .default(sql`'epoch'`),
    /** The last PUT /user. */
    signedInAt: moment('signed_in_at').notNull().defaultNow(),
    /** The operator ended every session: an ID token of a sign-in before that gets no access token. */
    signedOutAt: moment('signed_out_at'),
    /** The operator keeps this person out. */
    blockedAt: moment('blocked_at'),
    position: position(),
    createdAt: created(),
  },
  (t) => [
    check('users_role', sql`${t.role} in ('member', 'admin')`),
    check('users_admin_has_email', sql`${t.role} = 'member' or ${t.email} is not null`),
    index('users_position').on(t.position),
  ],
);

/** Sessions that ended by signing out. A session is one sign-in at the identity provider, known by its time. */
export const endedSessions = pgTable(
  'ended_sessions',
  {
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    authTime: moment('auth_time').notNull(),
    endedAt: moment('ended_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.authTime] }), index('ended_sessions_age').on(t.endedAt)],
);

export const promotions = pgTable('promotions', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  /** Null: the operator, by `npm run admin` or ADMIN_EMAILS. */
  actorId: text('actor_id').references(() => users.id),
  targetId: text('target_id')
    .notNull()
    .references(() => users.id),
  role: text('role', { enum: ['member', 'admin'] }).notNull(),
  createdAt: created(),
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
    position: position(),
    name: text('name').notNull(),
    price: integer('price').notNull(),
    minimumOrderQuantity: integer('minimum_order_quantity').notNull(),
    availableQuantity: integer('available_quantity').notNull(),
    /** What was ever put into stock: available + held + sold, at any time. */
    stockedQuantity: integer('stocked_quantity').notNull(),
    description: text('description').notNull(),
    img: text('img').notNull(),
    demo: boolean('demo').notNull().default(false),
    createdAt: created(),
  },
  (t) => [
    check('tools_price', sql`${t.price} between 1 and ${n(MAX_PRICE)}`),
    check('tools_minimum', sql`${t.minimumOrderQuantity} between 1 and ${n(MAX_QUANTITY)}`),
    check('tools_available', sql`${t.availableQuantity} between 0 and ${t.stockedQuantity}`),
    check('tools_stocked', sql`${t.stockedQuantity} between 0 and ${n(MAX_QUANTITY)}`),
    uniqueIndex('tools_position').on(t.position),
    index('tools_name').on(t.name),
  ],
);

export const reviews = pgTable(
  'reviews',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    position: position(),
    authorId: text('author_id').references(() => users.id),
    name: text('name').notNull(),
    description: text('description').notNull(),
    ratings: integer('ratings').notNull(),
    img: text('img').notNull(),
    demo: boolean('demo').notNull().default(false),
    createdAt: created(),
  },
  (t) => [
    check('reviews_ratings', sql`${t.ratings} between ${n(MIN_RATING)} and ${n(MAX_RATING)}`),
    uniqueIndex('reviews_position').on(t.position),
  ],
);

export const orders = pgTable(
  'orders',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    position: position(),
    ownerId: text('owner_id')
      .notNull()
      .references(() => users.id),
    email: text('email').notNull(),
    client: text('client').notNull(),
    toolId: uuid('tool_id')
      .notNull()
      .references(() => tools.id),
    productName: text('product_name').notNull(),
    /** Whole dollars a piece; null: recorded without a price, it cannot be paid. */
    unitPrice: integer('unit_price'),
    quantity: integer('quantity').notNull(),
    address: text('address').notNull(),
    phone: text('phone').notNull(),
    state: text('state', { enum: ['unpaid', 'paid', 'unpriced', 'deleted'] }).notNull(),
    /** Whether this order's quantity is out of the tool's available stock. */
    holdsStock: boolean('holds_stock').notNull(),
    holdUntil: moment('hold_until'),
    /** No renewal makes the hold last longer than this. */
    holdLastAt: moment('hold_last_at'),
    /** When a hold of this order last ended unpaid. */
    holdEndedAt: moment('hold_ended_at'),
    /** When the price was set or confirmed: an old price is asked for again before paying. */
    pricedAt: moment('priced_at'),
    /** Which of its owner's places for unpaid orders (MAX_UNPAID_ORDERS) or for unpriced orders this order takes. */
    slot: integer('slot'),
    /** Someone is deleting it or ending its hold and talks to the payment provider; nobody else may until then. */
    deletingUntil: moment('deleting_until'),
    deletedAt: moment('deleted_at'),
    createdAt: created(),
  },
  (t) => [
    check('orders_state', sql`${t.state} in ('unpaid', 'paid', 'unpriced', 'deleted')`),
    check('orders_quantity', sql`${t.quantity} between 1 and ${n(MAX_QUANTITY)}`),
    check('orders_price', sql`${t.unitPrice} between 1 and ${n(MAX_PRICE)}`),
    check('orders_unpriced', sql`${t.state} = 'deleted' or (${t.state} = 'unpriced') = (${t.unitPrice} is null)`),
    check('orders_paid_holds', sql`${t.state} <> 'paid' or ${t.holdsStock}`),
    check('orders_holding', sql`not ${t.holdsStock} or ${t.state} in ('unpaid', 'paid')`),
    check('orders_hold_ends', sql`(${t.state} = 'unpaid' and ${t.holdsStock}) = (${t.holdUntil} is not null)`),
    check('orders_deleted', sql`(${t.state} = 'deleted') = (${t.deletedAt} is not null)`),
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
  ],
);

/** How many orders there are, deleted ones apart: the sum of the rows, so that orders placed at once seldom meet in one. */
export const orderCounts = pgTable('order_counts', {
  shard: integer('shard').primaryKey(),
  n: bigint('n', { mode: 'number' }).notNull(),
});

export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    call: text('call').notNull(),
    key: text('key').notNull(),
    bodyHash: text('body_hash').notNull(),
    answer: jsonb('answer').notNull(),
    createdAt: created(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.call, t.key] }), index('idempotency_keys_age').on(t.createdAt)],
);

/** Secrets that the shop made for itself, once. */
export const secrets = pgTable('secrets', {
  name: text('name').primaryKey(),
  value: text('value').notNull(),
  createdAt: created(),
});

/** Counters of limits that must hold over all copies of the server. */
export const rateLimits = pgTable(
  'rate_limits',
  {
    bucket: text('bucket').primaryKey(),
    hits: integer('hits').notNull(),
    resetsAt: moment('resets_at').notNull(),
  },
  (t) => [index('rate_limits_end').on(t.resetsAt)],
);
