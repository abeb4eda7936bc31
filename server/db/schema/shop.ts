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
import { bytea, createdAtColumn, numberLiteral, positionColumn, timestamptz } from './columns';
import { MAX_PRICE, MAX_QUANTITY, MAX_RATING, MIN_RATING } from '../../../src/contract/limits';

export const users = pgTable(
  'users',
  {
    id: text('id').primaryKey(),
    /** Null once another user has signed in with the address, once the person is erased, and for machines. */
    email: text('email').unique(),
    emailVerified: boolean('email_verified').notNull().default(false),
    displayName: text('display_name').notNull().default(''),
    role: text('role', { enum: ['member', 'admin'] })
      .notNull()
      .default('member'),
    sessionsValidFrom: timestamptz('sessions_valid_from')
      .notNull()
      .default(sql`'epoch'`),
    /** Unused, but the previous version names it in its statements. */
    signedInAt: timestamptz('signed_in_at').notNull().defaultNow(),
    /** When the operator ended all of this user's sessions. ID tokens of earlier sign-ins are refused. */
    signedOutAt: timestamptz('signed_out_at'),
    blockedAt: timestamptz('blocked_at'),
    position: positionColumn(),
    createdAt: createdAtColumn(),
  },
  (t) => [check('users_role', sql`${t.role} in ('member', 'admin')`), index('users_position').on(t.position)],
);

/**
 * Sessions that their users ended by signing out. Each sign-in at the identity provider starts a session. Its time
 * (`auth_time`) identifies the session.
 */
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

/** The keys of machines, such as an ERP. Each acts as a user of its own, with the id `key:NAME`, who has no email. */
export const machineKeys = pgTable('machine_keys', {
  name: text('name').primaryKey(),
  tokenHash: text('token_hash').notNull().unique(),
  /** The subjects whose admin routes the key opens. */
  may: text('may').array().notNull(),
  createdAt: createdAtColumn(),
});

export const promotions = pgTable('promotions', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  /** The admin who changed the role. Null if the operator changed it, with `npm run admin` or ADMIN_EMAILS. */
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
    /** The available, held and sold pieces together. */
    stockedQuantity: integer('stocked_quantity').notNull(),
    description: text('description').notNull(),
    img: text('img').notNull(),
    /**
     * A tool that is not for sale is not listed and cannot be ordered. It is not deleted, because orders refer to it.
     */
    onSale: boolean('on_sale').notNull().default(true),
    demo: boolean('demo').notNull().default(false),
    createdAt: createdAtColumn(),
  },
  (t) => [
    check('tools_price', sql`${t.price} between 1 and ${numberLiteral(MAX_PRICE)}`),
    check('tools_minimum', sql`${t.minimumOrderQuantity} between 1 and ${numberLiteral(MAX_QUANTITY)}`),
    check('tools_available', sql`${t.availableQuantity} between 0 and ${t.stockedQuantity}`),
    check('tools_stocked', sql`${t.stockedQuantity} >= 0`),
    uniqueIndex('tools_position').on(t.position),
    index('tools_name').on(t.name),
  ],
);

/** The pictures that admins upload for tools. A tool's `img` is `/picture/` and the hash. */
export const pictures = pgTable(
  'pictures',
  {
    hash: text('hash').notNull(),
    width: integer('width').notNull(),
    bytes: bytea('bytes').notNull(),
    /** When a tool last had the picture, to within an hour, or when it was uploaded. */
    usedAt: timestamptz('used_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.hash, t.width] })],
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
    toolId: uuid('tool_id').references(() => tools.id, { onDelete: 'set null' }),
    demo: boolean('demo').notNull().default(false),
    createdAt: createdAtColumn(),
  },
  (t) => [
    check('reviews_ratings', sql`${t.ratings} between ${numberLiteral(MIN_RATING)} and ${numberLiteral(MAX_RATING)}`),
    uniqueIndex('reviews_position').on(t.position),
  ],
);

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
    createdAt: createdAtColumn(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.call, t.key] }), index('idempotency_keys_age').on(t.createdAt)],
);

/** Secrets that the shop generates at its first start. */
export const secrets = pgTable('secrets', {
  name: text('name').primaryKey(),
  value: text('value').notNull(),
  createdAt: createdAtColumn(),
});

/** Locks that apply to all servers: a transaction locks the row. */
export const locks = pgTable('locks', { name: text('name').primaryKey() });

/** Counters of limits that apply to all servers together. */
export const rateLimits = pgTable(
  'rate_limits',
  {
    bucket: text('bucket').primaryKey(),
    hits: integer('hits').notNull(),
    resetsAt: timestamptz('resets_at').notNull(),
  },
  (t) => [index('rate_limits_end').on(t.resetsAt)],
);
