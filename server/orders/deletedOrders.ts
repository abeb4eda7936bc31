import { sql } from 'drizzle-orm';
import type { Db } from '../db/database';
import { deleteInBatches, updateInBatches } from '../db/deleteInBatches';
import { orders, paymentAttempts, WITHOUT_PERSONAL_DATA } from '../db/schema';
import { addMs, DAY_MS } from '../db/time';

const PERSONAL_DATA_DAYS = 30;
const RETENTION_DAYS = 365;

interface Context {
  db: Db;
  now: () => Date;
}

/** SQL over a row of `orders`. An order whose payment came too late belongs to the books too. */
export const isNeverPaid = sql`not exists (select from payments where payments.order_id = orders.id)
  and not exists (select from payment_reversals where payment_reversals.order_id = orders.id)`;

const isDeletedSince = (days: number, { now }: Context) =>
  sql`orders.state = 'deleted' and orders.deleted_at < ${addMs(now(), -days * DAY_MS)} and ${isNeverPaid}`;

/** A deleted order keeps its row for a year, so that a payment or a question can still be matched with it. */
export const blankDeletedOrders = (ctx: Context): Promise<number> =>
  updateInBatches(
    ctx.db,
    orders,
    WITHOUT_PERSONAL_DATA,
    sql`orders.email <> '' and ${isDeletedSince(PERSONAL_DATA_DAYS, ctx)}`,
  );

/** @returns how many orders were deleted */
export async function deleteOldOrders(ctx: Context): Promise<number> {
  const isOld = isDeletedSince(RETENTION_DAYS, ctx);
  await deleteInBatches(ctx.db, paymentAttempts, sql`order_id in (select id from orders where ${isOld})`);
  return deleteInBatches(ctx.db, orders, isOld);
}
