import { sql } from 'drizzle-orm';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db, Tx } from '../db/database';
import { withTransactionRetry } from '../db/retryConflicts';
import { openAttempt, type AttemptRow } from './attempts';
import type { PaymentContext } from './context';
import { PaymentProviderDown } from './provider';
import { markDeleted, releaseOrder } from './releaseOrder';

/** A claim that never ends: no payment begins for such an order any more, and the sweep deletes it. */
const TO_BE_DELETED = new Date('9999-01-01T00:00:00Z');
/** A provider that is slow keeps nobody from signing in. */
const PATIENCE_MS = 1_000;

const OPEN = sql`exists (select from payment_attempts a where a.order_id = o.id and a.state = 'open')`;
const unpaidOf = (owners: string[]) =>
  sql`o.owner_id = any(${sql.param(owners)}::text[]) and o.state <> 'deleted' and o.state in ('unpaid', 'unpriced')`;

/** Deletes what nobody is paying, and gives the stock back. */
const drop = (owners: string[], at: string) => sql`
  with gone as (
    update orders o set state = 'deleted', deleted_at = ${at}::timestamptz, holds_stock = false, hold_until = null,
      deleting_until = null
    from orders was
    where was.id = o.id and ${unpaidOf(owners)} and not ${OPEN}
    returning o.tool_id, o.quantity, was.holds_stock
  ), stock as (
    update tools t set available_quantity = t.available_quantity + back.n
    from (select tool_id, sum(quantity) as n from gone where holds_stock group by tool_id) back where t.id = back.tool_id
  )
  update order_counts set n = n - (select count(*) from gone) where shard = 0 and exists (select from gone)`;

/** What is being paid is only marked: its intent must be canceled first, and no provider is called in a transaction. */
const mark = (owners: string[], at: string) => sql`
  update orders o set deleting_until = ${TO_BE_DELETED.toISOString()}::timestamptz,
    hold_until = case when holds_stock then least(hold_until, ${at}::timestamptz) end
  where ${unpaidOf(owners)} and ${OPEN}`;

/**
 * In the transaction in which an address changes hands: the orders that a stranger placed under it go. They are locked
 * first, so that the next statement sees every payment that has begun.
 */
async function dropOrders(tx: Tx, owners: string[], now: Date): Promise<void> {
  if (owners.length === 0) return;
  await tx.execute(sql`select from orders o where ${unpaidOf(owners)} order by o.id for update`);
  await tx.execute(drop(owners, now.toISOString()));
  await tx.execute(mark(owners, now.toISOString()));
}

/** An order that was under way waited for the owner's row, and came in just after. */
async function dropOrdersAgain({ db, now }: PaymentContext, owners: string[]): Promise<void> {
  await withTransactionRetry(() =>
    db.transaction(async (tx) => {
      await tx.execute(sql`select from users where id = any(${sql.param(owners)}::text[]) order by id for update`);
      await dropOrders(tx, owners, now());
    }),
  );
}

const isMarked = sql`o.state = 'unpaid' and o.deleting_until = ${TO_BE_DELETED.toISOString()}::timestamptz`;

/** Both ways in are indexed: holds that are over, and open attempts. */
async function markedOrders(db: Db, now: Date, owners?: string[]): Promise<string[]> {
  const ofOwners = owners ? sql`o.owner_id = any(${sql.param(owners)}::text[])` : sql`true`;
  const { rows } = await db.execute<{ id: string }>(sql`
    select o.id from orders o
    where ${isMarked} and o.holds_stock and o.hold_until <= ${now.toISOString()}::timestamptz and ${ofOwners}
    union
    select o.id from orders o join payment_attempts a on a.order_id = o.id and a.state = 'open'
    where ${isMarked} and ${ofOwners}`);
  return rows.map(({ id }) => id);
}

/** Deletes a marked order once no money can come for it. One whose payment is going through, or went through, stays. */
async function finish(ctx: PaymentContext, orderId: string): Promise<void> {
  const release = (attempt?: AttemptRow) =>
    releaseOrder(ctx, { orderId, until: TO_BE_DELETED, attempt }, 'finish drop', (tx, order) =>
      markDeleted(ctx, tx, order),
    );
  const ending = await release(await openAttempt(ctx.db, orderId));
  // Money that must be refunded leaves the order unpaid.
  if (ending === 'paid') await release();
  if (ending !== 'in progress') await ctx.catalog.changed('tools');
}

/** A step of the sweep, too: what the provider did not let us end is tried again. */
export async function finishMarked(ctx: PaymentContext, owners?: string[]): Promise<void> {
  for (const id of await markedOrders(ctx.db, ctx.now(), owners)) {
    try {
      await finish(ctx, id);
    } catch (error) {
      ctx.log.warn({ err: error, orderId: id }, 'could not delete an order of a former holder');
      if (error instanceof PaymentProviderDown) return;
    }
  }
}

/** After the commit: tells the catalog, and cancels what is being paid. Resolves when that takes too long, too. */
async function finishDropping(ctx: PaymentContext, owners: string[]): Promise<void> {
  const finishing = ctx.catalog
    .changed('tools')
    .then(() => finishMarked(ctx, owners))
    .catch((error: unknown) => ctx.log.warn({ err: error }, 'could not delete orders of a former holder'));
  await Promise.race([finishing, sleep(PATIENCE_MS, undefined, { ref: false })]);
}

/** What becomes of the orders of a former holder when an address changes hands. */
export const formerOwnerOrders = (ctx: PaymentContext) => ({
  drop: (tx: Tx, owners: string[]) => dropOrders(tx, owners, ctx.now()),
  /** After the commit. */
  async finish(owners: string[]) {
    await dropOrdersAgain(ctx, owners);
    await finishDropping(ctx, owners);
  },
});
