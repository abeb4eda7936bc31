import { eq, or, sql, type SQL } from 'drizzle-orm';
import type { PgTable, PgUpdateSetSource } from 'drizzle-orm/pg-core';
import { authorName } from '../../src/contract/displayName';
import { initialsPath } from '../../src/contract/initials';
import {
  adminActs,
  declines,
  endedHolds,
  endedSessions,
  idempotencyKeys,
  mails,
  orders,
  paymentAttempts,
  paymentReversals,
  payments,
  profiles,
  promotions,
  refunds,
  reviews,
  shipments,
  users,
  WITHOUT_PERSONAL_DATA,
} from '../db/schema';
import { isNeverPaid } from '../orders/deletedOrders';
import type { Person } from './person';

export interface PersonalRows {
  table: PgTable;
  /** SQL: which rows belong to the person. */
  belongsTo: (person: Person) => SQL | undefined;
  /**
   * What remains of the rows when the person is erased: nothing, the rows without their personal columns, or all of
   * them, because they have only ids, money, dates and words of the shop.
   */
  erase: 'delete' | 'keep' | Record<string, unknown>;
}

const rowsOf = <T extends PgTable>(
  table: T,
  belongsTo: PersonalRows['belongsTo'],
  erase: 'delete' | 'keep' | PgUpdateSetSource<T>,
): PersonalRows => ({ table, belongsTo, erase });

const ordersOf = ({ id }: Person, also = sql``) => sql`(select orders.id from orders where owner_id = ${id} ${also})`;
const ofTheirOrders = (person: Person) => sql`order_id in ${ordersOf(person)}`;
const isTheirs = ({ id }: Person) => sql`owner_id = ${id}`;

const NAMELESS = authorName({ displayName: '', email: null, isAdmin: false });

/**
 * Everything the shop's own tables have about a person, in the order in which it can be erased. The books need of a
 * paid order its tool, quantity, money, dates and ids.
 */
export const PERSONAL_ROWS: PersonalRows[] = [
  rowsOf(profiles, ({ id }) => eq(profiles.userId, id), 'delete'),
  rowsOf(endedSessions, ({ id }) => eq(endedSessions.userId, id), 'delete'),
  rowsOf(declines, ({ id }) => eq(declines.userId, id), 'delete'),
  rowsOf(endedHolds, isTheirs, 'delete'),
  rowsOf(idempotencyKeys, ({ id }) => eq(idempotencyKeys.userId, id), 'delete'),
  rowsOf(mails, (person) => or(eq(mails.recipient, person.email), ofTheirOrders(person)), 'delete'),
  rowsOf(reviews, ({ id }) => eq(reviews.authorId, id), {
    authorId: null,
    name: NAMELESS,
    img: initialsPath(NAMELESS),
  }),
  rowsOf(shipments, ofTheirOrders, 'delete'),
  rowsOf(
    adminActs,
    (person) => sql`subject in (select id::text from orders where owner_id = ${person.id})
      or (act = 'remove review' and detail->>'authorId' = ${person.id})`,
    { detail: {} },
  ),
  rowsOf(promotions, ({ id }) => sql`${id} in (actor_id, target_id)`, 'keep'),
  rowsOf(paymentReversals, ofTheirOrders, 'keep'),
  rowsOf(refunds, ofTheirOrders, { reason: '', error: null }),
  rowsOf(payments, ofTheirOrders, { cardBrand: null, cardLast4: null }),
  rowsOf(paymentAttempts, (person) => sql`order_id in ${ordersOf(person, sql`and ${isNeverPaid}`)}`, 'delete'),
  rowsOf(paymentAttempts, (person) => sql`order_id in ${ordersOf(person, sql`and not (${isNeverPaid})`)}`, {
    network: null,
  }),
  rowsOf(orders, (person) => sql`${isTheirs(person)} and ${isNeverPaid}`, 'delete'),
  rowsOf(orders, (person) => sql`${isTheirs(person)} and not (${isNeverPaid})`, WITHOUT_PERSONAL_DATA),
  rowsOf(users, ({ id }) => eq(users.id, id), { email: null, emailVerified: false, displayName: '' }),
];
