import { boolean, index, jsonb, pgSchema, primaryKey, text, timestamp } from 'drizzle-orm/pg-core';

export const identitySchema = pgSchema('embedded_identity');

const timestampColumn = (name: string) => timestamp(name, { withTimezone: true });
const createdAtColumn = () => timestampColumn('created_at').notNull().defaultNow();

export const identityAccounts = identitySchema.table('accounts', {
  localId: text('local_id').primaryKey(),
  email: text('email').unique('identity_accounts_email_unique'),
  emailVerified: boolean('email_verified').notNull().default(false),
  passwordHash: text('password_hash'),
  displayName: text('display_name'),
  validSince: timestampColumn('valid_since').notNull().defaultNow(),
  lastLoginAt: timestampColumn('last_login_at').notNull().defaultNow(),
  createdAt: createdAtColumn(),
});

export const identityFederated = identitySchema.table(
  'federated',
  {
    providerId: text('provider_id').notNull(),
    rawId: text('raw_id').notNull(),
    localId: text('local_id')
      .notNull()
      .references(() => identityAccounts.localId, { onDelete: 'cascade' }),
    email: text('email'),
    displayName: text('display_name'),
  },
  (t) => [
    primaryKey({ name: 'identity_federated_provider_id_raw_id_pk', columns: [t.providerId, t.rawId] }),
    index('identity_federated_account').on(t.localId),
  ],
);

export const identityRefreshTokens = identitySchema.table(
  'refresh_tokens',
  {
    tokenHash: text('token_hash').primaryKey(),
    localId: text('local_id')
      .notNull()
      .references(() => identityAccounts.localId, { onDelete: 'cascade' }),
    provider: text('provider').notNull(),
    authTime: timestampColumn('auth_time').notNull(),
    revokedAt: timestampColumn('revoked_at'),
    /** A refresh token expires after 30 days without use. */
    lastUsedAt: timestampColumn('last_used_at').notNull().defaultNow(),
    createdAt: createdAtColumn(),
  },
  (t) => [index('identity_refresh_tokens_account').on(t.localId)],
);

/** Codes in mailed links that verify an email or set a new password. Each works once, until it expires. */
export const identityCodes = identitySchema.table(
  'codes',
  {
    codeHash: text('code_hash').primaryKey(),
    requestType: text('request_type', { enum: ['VERIFY_EMAIL', 'PASSWORD_RESET'] }).notNull(),
    localId: text('local_id')
      .notNull()
      .references(() => identityAccounts.localId, { onDelete: 'cascade' }),
    /** The code is useless once the account has another email. */
    email: text('email').notNull(),
    expiresAt: timestampColumn('expires_at').notNull(),
  },
  (t) => [index('identity_codes_account').on(t.localId), index('identity_codes_expiry').on(t.expiresAt)],
);

export const identityKeys = identitySchema.table('keys', {
  kid: text('kid').primaryKey(),
  privateJwk: jsonb('private_jwk').notNull(),
  publicJwk: jsonb('public_jwk').notNull(),
  createdAt: createdAtColumn(),
});
