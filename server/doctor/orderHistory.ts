import { sql } from 'drizzle-orm';
import type { Db } from '../db/database';

export interface HistoryEvent {
  at: Date;
  text: string;
}

const formatCents = (column: string) => sql.raw(`to_char(${column} / 100.0, 'FM$9999999990.00')`);
const AMOUNT = formatCents('amount_cents');

/**
 * Each query lists one kind of event in the life of the order. They return no personal data, except in the error of an
 * email, where a mail server may repeat the customer's address.
 */
const eventQueries = (orderId: string) => [
  sql`select created_at as at, 'order placed: ' || quantity || ' pieces at ' || coalesce('$' || unit_price, 'no price')
    as text from orders where id = ${orderId}`,
  sql`select priced_at as at, 'price set or accepted: $' || unit_price as text from orders
    where id = ${orderId} and priced_at > created_at`,
  sql`select hold_ended_at as at, 'hold of the stock ended before the order was paid' as text from orders where id = ${orderId}`,
  sql`select hold_until as at, 'hold of the stock ends' as text from orders where id = ${orderId}`,
  sql`select shipped_at as at, 'shipped' as text from orders where id = ${orderId}`,
  sql`select refunded_at as at, 'refund recorded' as text from orders where id = ${orderId}`,
  sql`select deleted_at as at, 'order deleted' as text from orders where id = ${orderId}`,
  sql`select created_at as at, 'payment attempt ' || n || ', now ' || state || ': ' || coalesce(intent_id, 'no intent yet')
    as text from payment_attempts where order_id = ${orderId}`,
  sql`select created_at as at, 'payment recorded: ' || ${AMOUNT} || ', ' || intent_id || ', ' || outcome || coalesce(', ' || reason, '') || coalesce(', invoice ' || invoice, '')
    as text from payments where order_id = ${orderId}`,
  sql`select created_at as at, 'refund requested by ' || coalesce('admin ' || requested_by, 'the shop') || ': ' || ${AMOUNT}
    || coalesce(' for ' || pieces || ' pieces, ' || restock_pieces || ' of them to the stock', '')
    as text from refunds where order_id = ${orderId}`,
  sql`select updated_at as at, 'refund of ' || ${AMOUNT} || coalesce(' (' || refund_id || ')', '') || ' is ' || state || coalesce(': ' || error, '') || coalesce(', credit note ' || number, '') as text from refunds
    where order_id = ${orderId}`,
  sql`select updated_at as at, kind || ' of ' || ${AMOUNT} || ' at the provider is ' || status || ': ' || id as text
    from payment_reversals where order_id = ${orderId}`,
  sql`select coalesce(sent_at, created_at) as at, 'email "' || kind || '" is ' || state || coalesce(': ' || error, '')
    as text from mails where order_id = ${orderId}`,
  sql`select created_at as at, act || ' by admin ' || actor_id as text from admin_acts where subject = ${orderId}`,
];

/** @returns what happened to an order and its payment, oldest first, or undefined if there is no such order */
export async function readOrderHistory(db: Db, orderId: string): Promise<HistoryEvent[] | undefined> {
  const events = sql.join(eventQueries(orderId), sql` union all `);
  const { rows } = await db.execute<{ at: Date | string; text: string }>(
    sql`select at, text from (${events}) events where at is not null order by at`,
  );
  return rows.length === 0 ? undefined : rows.map(({ at, text }) => ({ at: new Date(at), text }));
}

/** @returns the id of the order that an intent belongs to, or undefined if the database has none */
export async function findOrderOfIntent(db: Db, intentId: string): Promise<string | undefined> {
  const { rows } = await db.execute<{ orderId: string }>(sql`
    select order_id as "orderId" from payment_attempts where intent_id = ${intentId} union
    select order_id from payments where intent_id = ${intentId} and order_id is not null`);
  return rows[0]?.orderId;
}
