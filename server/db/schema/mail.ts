import { sql } from 'drizzle-orm';
import { bigint, check, index, integer, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core';
import { createdAtColumn, timestamptz } from './columns';

/** Emails to customers. A row is written in the same transaction as the change that it reports, and sent afterwards. */
export const mails = pgTable(
  'mails',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    kind: text('kind', {
      enum: ['order received', 'payment received', 'price offered', 'shipped', 'refunded', 'payment returned'],
    }).notNull(),
    /** The id of the order, or of the payment that is returned. */
    about: text('about').notNull(),
    /** Without a foreign key: orders are never removed, so checking it for each order would have no benefit. */
    orderId: uuid('order_id').notNull(),
    /** `not sent`: sending was off. */
    state: text('state', { enum: ['queued', 'sent', 'failed', 'not sent'] })
      .notNull()
      .default('queued'),
    tries: integer('tries').notNull().default(0),
    nextTryAt: timestamptz('next_try_at').notNull().defaultNow(),
    /** A lease: until then, only one copy of the server may send the email. */
    leaseUntil: timestamptz('lease_until'),
    error: text('error'),
    sentAt: timestamptz('sent_at'),
    createdAt: createdAtColumn(),
  },
  (t) => [
    check('mails_state', sql`${t.state} in ('queued', 'sent', 'failed', 'not sent')`),
    unique('mails_kind_about').on(t.kind, t.about),
    index('mails_due')
      .on(t.nextTryAt)
      .where(sql`state = 'queued'`),
    index('mails_failed')
      .on(t.createdAt)
      .where(sql`state = 'failed'`),
    /** Rows are inserted in the order of their time, so a BRIN index is enough. It is small and cheap to update. */
    index('mails_age').using('brin', t.createdAt),
  ],
);
