import { sql } from 'drizzle-orm';
import { bigint, check, index, integer, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core';
import { createdAtColumn, timestamptz } from './columns';

/**
 * Emails to customers. A row is inserted in the transaction of the change that the email is about. The email is sent
 * after the commit.
 */
export const mails = pgTable(
  'mails',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    kind: text('kind', {
      enum: [
        'order received',
        'payment received',
        'price offered',
        'shipped',
        'refunded',
        'payment returned',
        'verify email',
        'reset password',
      ],
    }).notNull(),
    /**
     * The id of the order, of the payment for `payment returned`, or of the refund for `refunded`. For a corrected
     * shipment or price, the number of the correction follows the id of the order. For an email with a link, a random
     * id.
     */
    about: text('about').notNull(),
    /** Not a foreign key, because checking it would slow down every order. */
    orderId: uuid('order_id'),
    /** An email that is not about an order has an address and a link instead. */
    recipient: text('recipient'),
    /** Deleted once the email is sent or the link has expired, because the link is as secret as a password. */
    link: text('link'),
    linkExpiresAt: timestamptz('link_expires_at'),
    /**
     * `error` says why an email is `not sent`, unless sending was off or the shop was restored as a separate one.
     */
    state: text('state', { enum: ['queued', 'sent', 'failed', 'not sent'] })
      .notNull()
      .default('queued'),
    tries: integer('tries').notNull().default(0),
    nextTryAt: timestamptz('next_try_at').notNull().defaultNow(),
    /** A lease. Until it ends, only the server that claimed the email may send it. */
    leaseUntil: timestamptz('lease_until'),
    error: text('error'),
    sentAt: timestamptz('sent_at'),
    createdAt: createdAtColumn(),
  },
  (t) => [
    check('mails_state', sql`${t.state} in ('queued', 'sent', 'failed', 'not sent')`),
    check('mails_subject', sql`num_nonnulls(${t.orderId}, ${t.recipient}) = 1`),
    unique('mails_kind_about').on(t.kind, t.about),
    index('mails_due')
      .on(t.nextTryAt)
      .where(sql`state = 'queued'`),
    index('mails_failed')
      .on(t.createdAt)
      .where(sql`state = 'failed'`),
    index('mails_links')
      .on(t.linkExpiresAt)
      .where(sql`link is not null`),
    /**
     * Rows are inserted in the order of `created_at`, so a BRIN index is enough. It is cheaper to update than others.
     */
    index('mails_age').using('brin', t.createdAt),
  ],
);
