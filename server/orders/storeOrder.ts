import { sql } from 'drizzle-orm';
import type { PlacedOrder } from '../../src/contract/entities';
import type { Tx } from '../db/database';
import { orders, PERSONAL_NAMES } from '../db/schema';
import { hashOfBody, type IdempotentCall } from '../http/idempotencyKeys';
import { stateOfNewMail } from '../mail/outbox';
import type { OrderContext } from './context';
import { takeStockSql, type Hold } from './stock';

/** An order with all personal columns, which are optional in the API if they were added later. */
export type CompleteOrder = PlacedOrder & Record<(typeof PERSONAL_NAMES)[number], string>;

const insertOrder = (ownerId: string, order: CompleteOrder, hold: Hold | undefined) => sql`
  insert into orders (${sql.join(
    PERSONAL_NAMES.map((name) => sql.identifier(orders[name].name)),
    sql`, `,
  )},
    id, owner_id, tool_id, product_name, unit_price, quantity, state,
    holds_stock, hold_started_at, hold_until, hold_last_at, created_at)
  values (${sql.join(
    PERSONAL_NAMES.map((name) => sql`${order[name]}`),
    sql`, `,
  )},
    ${order._id}, ${ownerId}, ${order.toolId}, ${order.productName}, ${order.price}, ${order.totalQuantity}, ${order.status},
    ${hold !== undefined}, ${hold?.holdStartedAt ?? null}, ${hold?.holdUntil ?? null}, ${hold?.holdLastAt ?? null}, ${order.placedAt})`;

const insertMail = ({ _id }: PlacedOrder, state: string) => sql`
  insert into mails (kind, about, order_id, state) values ('order received', ${_id}::text, ${_id}, ${state})`;

const insertAnswer = ({ userId, call, key, body }: IdempotentCall, answer: PlacedOrder) => sql`
  insert into idempotency_keys (user_id, call, key, body_hash, answer)
  values (${userId}, ${call}, ${key}, ${hashOfBody(body)}, ${JSON.stringify(answer)})`;

/**
 * Stores an order with its email and its answer, and takes the stock. These writes are sent as one statement, because
 * other orders of the tool wait until they are done.
 */
export async function storeOrder(
  { settings }: OrderContext,
  tx: Tx,
  ownerId: string,
  order: CompleteOrder,
  hold: Hold | undefined,
  call: IdempotentCall,
): Promise<void> {
  const takenStock = hold && takeStockSql({ toolId: order.toolId, quantity: order.totalQuantity });
  const storedAnswer = call.key === undefined ? undefined : insertAnswer(call, order);
  await tx.execute(sql`
    with placed as (${insertOrder(ownerId, order, hold)}),
      queued_mail as (${insertMail(order, stateOfNewMail(settings))})
      ${takenStock && sql`, taken_stock as (${takenStock})`}
      ${storedAnswer && sql`, stored_answer as (${storedAnswer})`}
    select`);
}
