import { sql } from 'drizzle-orm';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db, Tx } from '../db/database';
import { withTransactionRetry } from '../db/retryConflicts';
import { findOpenAttempt, type AttemptRow } from './attempts';
import type { PaymentContext } from './context';
import { markDeleted, releaseOrder } from './releaseOrder';

/** A claim that never ends marks an order for deletion, so that no new payment of it can begin. */
const MARKED_UNTIL = new Date('9999-01-01T00:00:00Z');
/** If the provider is slow, the sign-in waits at most this long. */
const MAX_SIGN_IN_DELAY_MS = 1_000;

const HAS_OPEN_ATTEMPT = sql`exists (select from payment_attempts a where a.order_id = o.id and a.state = 'open')`;
const isUnpaidOrderOf = (owners: string[]) =>
  sql`o.owner_id = any(${sql.param(owners)}::text[]) and o.state <> 'deleted' and o.state in ('unpaid', 'unpriced')`;

/** Deletes orders without an open attempt and returns their stock. */
const deleteIdleOrdersSql = (owners: string[], at: string) => sql`
  with deleted_orders as (
    update orders o set state = 'deleted', deleted_at = ${at}::timestamptz, holds_stock = false, hold_until = null,
      deleting_until = null
    from orders old_row
    where old_row.id = o.id and ${isUnpaidOrderOf(owners)} and not ${HAS_OPEN_ATTEMPT}
    returning o.tool_id, o.quantity, old_row.holds_stock
  )
  update tools t set available_quantity = t.available_quantity + returned.n
  from (select tool_id, sum(quantity) as n from deleted_orders where holds_stock group by tool_id) returned
  where t.id = returned.tool_id`;

/**
 * Marks orders with an open attempt. Before they can be deleted, their intents must be canceled, but not in a
 * transaction.
 */
const markOrdersInPaymentSql = (owners: string[], at: string) => sql`
  update orders o set deleting_until = ${MARKED_UNTIL.toISOString()}::timestamptz,
    hold_until = case when holds_stock then least(hold_until, ${at}::timestamptz) end
  where ${isUnpaidOrderOf(owners)} and ${HAS_OPEN_ATTEMPT}`;

/**
 * Deletes or marks the former owners' orders in the transaction that gives the email to someone else. Locks the orders
 * first, so that both statements see every payment that has begun.
 */
async function deleteOrMarkOrders(tx: Tx, owners: string[], now: Date): Promise<void> {
  if (owners.length === 0) return;
  await tx.execute(sql`select from orders o where ${isUnpaidOrderOf(owners)} order by o.id for update`);
  await tx.execute(deleteIdleOrdersSql(owners, now.toISOString()));
  await tx.execute(markOrdersInPaymentSql(owners, now.toISOString()));
}

/**
 * Deletes or marks the orders that were being placed during the sign-in's transaction. That transaction had locked the
 * owner's row, so these orders were stored only after its commit, and it could not see them.
 */
async function deleteLateOrders({ db, now }: PaymentContext, owners: string[]): Promise<void> {
  await withTransactionRetry(() =>
    db.transaction(async (tx) => {
      await tx.execute(sql`select from users where id = any(${sql.param(owners)}::text[]) order by id for update`);
      await deleteOrMarkOrders(tx, owners, now());
    }),
  );
}

const isMarked = sql`o.state = 'unpaid' and o.deleting_until = ${MARKED_UNTIL.toISOString()}::timestamptz`;

/**
 * The query is a union, so that PostgreSQL can use an index for each of its two parts: holds that are over, and open
 * attempts.
 */
async function findMarkedOrders(db: Db, now: Date, owners?: string[]): Promise<string[]> {
  const ofOwners = owners ? sql`o.owner_id = any(${sql.param(owners)}::text[])` : sql`true`;
  const { rows } = await db.execute<{ id: string }>(sql`
    select o.id from orders o
    where ${isMarked} and o.holds_stock and o.hold_until <= ${now.toISOString()}::timestamptz and ${ofOwners}
    union
    select o.id from orders o join payment_attempts a on a.order_id = o.id and a.state = 'open'
    where ${isMarked} and ${ofOwners}`);
  return rows.map(({ id }) => id);
}

/**
 * Cancels a marked order's payment and deletes the order, unless the payment is processing or has paid for the order.
 */
async function deleteMarkedOrder(ctx: PaymentContext, orderId: string): Promise<void> {
  const release = (attempt?: AttemptRow) =>
    releaseOrder(ctx, { orderId, until: MARKED_UNTIL, attempt }, 'delete marked order', (tx, order) =>
      markDeleted(ctx, tx, order),
    );
  const ending = await release(await findOpenAttempt(ctx.db, orderId));
  // The attempt was paid and is closed. If its money could not pay for the order, the order is still unpaid and can be
  // deleted.
  if (ending === 'paid') await release();
  if (ending !== 'in progress') await ctx.catalog.reportChange('tools');
}

/** The sweep calls this too, so that orders whose payment could not be canceled are tried again. */
export async function deleteMarkedOrders(ctx: PaymentContext, owners?: string[]): Promise<void> {
  for (const id of await findMarkedOrders(ctx.db, ctx.now(), owners)) {
    try {
      await deleteMarkedOrder(ctx, id);
    } catch (error) {
      ctx.log.warn(
        { err: error, orderId: id },
        'could not delete an unpaid order of a user whose email now belongs to another account',
      );
    }
  }
}

/**
 * Waits until the marked orders are deleted, but at most MAX_SIGN_IN_DELAY_MS. After that, the deletion continues in
 * the background.
 */
async function deleteMarkedOrdersForSignIn(ctx: PaymentContext, owners: string[]): Promise<void> {
  const deletion = ctx.catalog
    .reportChange('tools')
    .then(() => deleteMarkedOrders(ctx, owners))
    .catch((error: unknown) => ctx.log.warn({ err: error }, 'could not delete orders of former owner of the email'));
  await Promise.race([deletion, sleep(MAX_SIGN_IN_DELAY_MS)]);
}

/** For a sign-in that gives an email to another user. Deletes the unpaid orders of the email's former owners. */
export const formerOwnerOrders = (ctx: PaymentContext) => ({
  deleteInTransaction: (tx: Tx, owners: string[]) => deleteOrMarkOrders(tx, owners, ctx.now()),
  async deleteAfterCommit(owners: string[]) {
    await deleteLateOrders(ctx, owners);
    await deleteMarkedOrdersForSignIn(ctx, owners);
  },
});
