import { sql } from 'drizzle-orm';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db, Tx } from '../db/database';
import { withTransactionRetry } from '../db/retryConflicts';
import { findOpenAttempt, type AttemptRow } from './attempts';
import type { PaymentContext } from './context';
import { PaymentProviderDown } from './provider';
import { markDeleted, releaseOrder } from './releaseOrder';

/** Marks an order by a claim that never ends: no payment begins for it any more, and the sweep deletes it. */
const MARKED_UNTIL = new Date('9999-01-01T00:00:00Z');
/** Sign-in waits at most this long for a slow provider. */
const MAX_WAIT_MS = 1_000;

const HAS_OPEN_ATTEMPT = sql`exists (select from payment_attempts a where a.order_id = o.id and a.state = 'open')`;
const isUnpaidOrderOf = (owners: string[]) =>
  sql`o.owner_id = any(${sql.param(owners)}::text[]) and o.state <> 'deleted' and o.state in ('unpaid', 'unpriced')`;

/** Deletes the orders that nobody is paying and returns their stock. */
const deleteIdleOrdersSql = (owners: string[], at: string) => sql`
  with deleted_orders as (
    update orders o set state = 'deleted', deleted_at = ${at}::timestamptz, holds_stock = false, hold_until = null,
      deleting_until = null
    from orders old_row
    where old_row.id = o.id and ${isUnpaidOrderOf(owners)} and not ${HAS_OPEN_ATTEMPT}
    returning o.tool_id, o.quantity, old_row.holds_stock
  ), updated_stock as (
    update tools t set available_quantity = t.available_quantity + returned.n
    from (select tool_id, sum(quantity) as n from deleted_orders where holds_stock group by tool_id) returned
    where t.id = returned.tool_id
  )
  update order_counts set n = n - (select count(*) from deleted_orders)
  where shard = 0 and exists (select from deleted_orders)`;

/** Marks the orders that are being paid. Their intents must be canceled first, and never inside a transaction. */
const markOrdersInPaymentSql = (owners: string[], at: string) => sql`
  update orders o set deleting_until = ${MARKED_UNTIL.toISOString()}::timestamptz,
    hold_until = case when holds_stock then least(hold_until, ${at}::timestamptz) end
  where ${isUnpaidOrderOf(owners)} and ${HAS_OPEN_ATTEMPT}`;

/**
 * Deletes or marks the orders that former owners of an email placed, in the transaction that gives the email to
 * someone else. It locks the orders first, so that the next statements see every payment that has begun.
 */
async function deleteOrMarkOrders(tx: Tx, owners: string[], now: Date): Promise<void> {
  if (owners.length === 0) return;
  await tx.execute(sql`select from orders o where ${isUnpaidOrderOf(owners)} order by o.id for update`);
  await tx.execute(deleteIdleOrdersSql(owners, now.toISOString()));
  await tx.execute(markOrdersInPaymentSql(owners, now.toISOString()));
}

/** Does the same for orders that were being placed at the same time. They waited for the lock on the owner's row. */
async function deleteLateOrders({ db, now }: PaymentContext, owners: string[]): Promise<void> {
  await withTransactionRetry(() =>
    db.transaction(async (tx) => {
      await tx.execute(sql`select from users where id = any(${sql.param(owners)}::text[]) order by id for update`);
      await deleteOrMarkOrders(tx, owners, now());
    }),
  );
}

const isMarked = sql`o.state = 'unpaid' and o.deleting_until = ${MARKED_UNTIL.toISOString()}::timestamptz`;

/** Indexes cover both halves of the query: holds that are over, and open attempts. */
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

/** Deletes an order that is marked for deletion, unless its payment is processing or has succeeded. */
async function deleteMarkedOrder(ctx: PaymentContext, orderId: string): Promise<void> {
  const release = (attempt?: AttemptRow) =>
    releaseOrder(ctx, { orderId, until: MARKED_UNTIL, attempt }, 'delete marked order', (tx, order) =>
      markDeleted(ctx, tx, order),
    );
  const ending = await release(await findOpenAttempt(ctx.db, orderId));
  // The intent was paid. If that money is being refunded, the order is still unpaid, so a second call can delete it.
  if (ending === 'paid') await release();
  if (ending !== 'in progress') await ctx.catalog.changed('tools');
}

/** The sweep also calls this, to retry orders that the provider did not allow to delete. */
export async function deleteMarkedOrders(ctx: PaymentContext, owners?: string[]): Promise<void> {
  for (const id of await findMarkedOrders(ctx.db, ctx.now(), owners)) {
    try {
      await deleteMarkedOrder(ctx, id);
    } catch (error) {
      ctx.log.warn({ err: error, orderId: id }, 'could not delete order of former owner of the email');
      if (error instanceof PaymentProviderDown) return;
    }
  }
}

/**
 * Deletes the marked orders after the commit. After MAX_WAIT_MS it stops waiting, and the deletion continues in the
 * background.
 */
async function deleteMarkedOrdersForSignIn(ctx: PaymentContext, owners: string[]): Promise<void> {
  const deletion = ctx.catalog
    .changed('tools')
    .then(() => deleteMarkedOrders(ctx, owners))
    .catch((error: unknown) => ctx.log.warn({ err: error }, 'could not delete orders of former owner of the email'));
  await Promise.race([deletion, sleep(MAX_WAIT_MS, undefined, { ref: false })]);
}

/** Deletes the orders of an email's former owners, in and after the transaction that gives the email to another. */
export const formerOwnerOrders = (ctx: PaymentContext) => ({
  deleteInTransaction: (tx: Tx, owners: string[]) => deleteOrMarkOrders(tx, owners, ctx.now()),
  async deleteAfterCommit(owners: string[]) {
    await deleteLateOrders(ctx, owners);
    await deleteMarkedOrdersForSignIn(ctx, owners);
  },
});
