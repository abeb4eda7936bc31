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
} from 'drizzle-orm/pg-core';
import { created, moment } from './columns';

/** Rows of the embedded identity service and of the payment sandbox. The shop itself never reads them. */

export const identityAccounts = pgTable('identity_accounts', {
  localId: text('local_id').primaryKey(),
  email: text('email').unique(),
  emailVerified: boolean('email_verified').notNull().default(false),
  passwordHash: text('password_hash'),
  displayName: text('display_name'),
  photoUrl: text('photo_url'),
  disabled: boolean('disabled').notNull().default(false),
  validSince: moment('valid_since').notNull().defaultNow(),
  lastLoginAt: moment('last_login_at').notNull().defaultNow(),
  createdAt: created(),
});

export const identityFederated = pgTable(
  'identity_federated',
  {
    providerId: text('provider_id').notNull(),
    rawId: text('raw_id').notNull(),
    localId: text('local_id')
      .notNull()
      .references(() => identityAccounts.localId, { onDelete: 'cascade' }),
    email: text('email'),
    displayName: text('display_name'),
    photoUrl: text('photo_url'),
  },
  (t) => [primaryKey({ columns: [t.providerId, t.rawId] }), index('identity_federated_account').on(t.localId)],
);

export const identityRefreshTokens = pgTable(
  'identity_refresh_tokens',
  {
    tokenHash: text('token_hash').primaryKey(),
    localId: text('local_id')
      .notNull()
      .references(() => identityAccounts.localId, { onDelete: 'cascade' }),
    provider: text('provider').notNull(),
    authTime: moment('auth_time').notNull(),
    revokedAt: moment('revoked_at'),
    /** A token that nobody uses for a while ends. */
    lastUsedAt: moment('last_used_at').notNull().defaultNow(),
    createdAt: created(),
  },
  (t) => [index('identity_refresh_tokens_account').on(t.localId)],
);

export const identityKeys = pgTable('identity_keys', {
  kid: text('kid').primaryKey(),
  privateJwk: jsonb('private_jwk').notNull(),
  publicJwk: jsonb('public_jwk').notNull(),
  createdAt: created(),
});

export const sandboxPaymentMethods = pgTable('sandbox_payment_methods', {
  id: text('id').primaryKey(),
  /** The card's outcome, never its number. */
  outcome: text('outcome').notNull(),
  body: jsonb('body').notNull(),
  createdAt: created(),
});

export const sandboxIntents = pgTable(
  'sandbox_intents',
  {
    id: text('id').primaryKey(),
    clientSecret: text('client_secret').notNull(),
    status: text('status').notNull(),
    amount: bigint('amount', { mode: 'number' }).notNull(),
    amountReceived: bigint('amount_received', { mode: 'number' }).notNull().default(0),
    currency: text('currency').notNull(),
    paymentMethodId: text('payment_method_id').references(() => sandboxPaymentMethods.id),
    chargeId: text('charge_id').unique(),
    metadata: jsonb('metadata').notNull(),
    body: jsonb('body').notNull(),
    createdAt: created(),
  },
  (t) => [
    check('sandbox_intents_amount', sql`${t.amount} > 0`),
    check('sandbox_intents_charged', sql`(${t.status} = 'succeeded') = (${t.amountReceived} = ${t.amount})`),
    index('sandbox_intents_age').on(t.createdAt),
    uniqueIndex('sandbox_intents_method').on(t.paymentMethodId),
  ],
);

export const sandboxIdempotency = pgTable('sandbox_idempotency', {
  key: text('key').primaryKey(),
  requestHash: text('request_hash').notNull(),
  status: integer('status').notNull(),
  body: jsonb('body').notNull(),
  createdAt: created(),
});

export const sandboxEvents = pgTable(
  'sandbox_events',
  {
    id: text('id').primaryKey(),
    type: text('type').notNull(),
    body: jsonb('body').notNull(),
    attempts: integer('attempts').notNull().default(0),
    nextAttemptAt: moment('next_attempt_at').notNull().defaultNow(),
    deliveredAt: moment('delivered_at'),
    createdAt: created(),
  },
  (t) => [
    index('sandbox_events_due')
      .on(t.nextAttemptAt)
      .where(sql`delivered_at is null`),
  ],
);
