import { and, eq, inArray, sql } from 'drizzle-orm';
import { notifyServers } from '../catalog/catalog';
import type { Db, Tx } from '../db/database';
import { addressTransaction } from '../db/locks';
import { addMs, MINUTE_MS } from '../db/time';
import { orders, users } from '../db/schema';
import { mayHappen } from '../orders/mayHappen';
import { factsOf, lockOrdersOf, type LockedOrder } from '../orders/orderTransaction';
import { noHold, returnStock } from '../orders/stock';
import { isLateMoney } from '../payments/checkRefunds';
import { endAllSessions } from '../users/blocking';
import { findPerson, type PersonalDataService, type Person } from './person';
import { PERSONAL_ROWS } from './personalData';

export type EraseOutcome = 'unknown' | 'admin' | { unfinished: string[] } | { person: Person };

/** @returns why the order still needs its customer's data, or undefined */
function findReasonToKeep(locked: LockedOrder, now: Date): string | undefined {
  const { order, lastAttempt } = locked;
  const facts = factsOf(locked, now);
  if (order.dispute === 'open') return 'is disputed';
  const isBeingPaid = lastAttempt?.state === 'open' || facts.isPaymentBeingCanceled;
  if (order.state === 'unpaid' && isBeingPaid) return 'is being paid';
  const isRefundDue = facts.isRefundOpen || (order.refundFailed && order.dispute !== 'lost');
  if (isRefundDue && !facts.isOfOriginal) return 'must be refunded';
  const canBeShipped = !mayHappen(facts, { despiteDispute: true }).ship;
  return canBeShipped && order.dispute !== 'lost' ? 'must be shipped or refunded' : undefined;
}

/** Lists money that arrived too late for the person's orders, even deleted ones, and that is still to be returned. */
async function findLateMoney(tx: Tx, { id }: Person): Promise<string[]> {
  const { rows } = await tx.execute<{ id: string }>(sql`
    select p.order_id as id from payments p join orders o on o.id = p.order_id
    where o.owner_id = ${id} and ${isLateMoney}`);
  return rows.map((row) => `${row.id} must be refunded`);
}

const markUnpaidDeleted = (tx: Tx, { id }: Person, now: Date) =>
  tx
    .update(orders)
    .set({ ...noHold, state: 'deleted', deletedAt: now })
    .where(and(eq(orders.ownerId, id), inArray(orders.state, ['unpaid', 'unpriced'])));

async function eraseRows(tx: Tx, person: Person): Promise<void> {
  for (const { table, belongsTo, erase } of PERSONAL_ROWS) {
    if (erase === 'delete') await tx.delete(table).where(belongsTo(person));
    else if (erase !== 'keep') await tx.update(table).set(erase).where(belongsTo(person));
  }
}

/**
 * The embedded identity service gives each sign-in of an account a second of its own, so several quick ones are ahead of
 * the clock. None of them may bring back a person who is being erased.
 */
const MAX_AHEAD_MS = MINUTE_MS;

/** All of it is one transaction, so that an interrupted command has changed nothing. */
export async function erasePerson(
  db: Db,
  email: string,
  services: PersonalDataService[],
  now: Date,
): Promise<EraseOutcome> {
  const outcome = await addressTransaction(db, email, async (tx): Promise<EraseOutcome> => {
    await tx.execute(sql`set local statement_timeout = 0`);
    await tx.select({ id: users.id }).from(users).where(eq(users.email, email)).for('update');
    const person = await findPerson(tx, email);
    if (!person) return 'unknown';
    if (person.role === 'admin') return 'admin';
    const locked = await lockOrdersOf(tx, person.id);
    const unfinished = locked.flatMap((one) => {
      const reason = findReasonToKeep(one, now);
      return reason ? [`${one.order.id} ${reason}`] : [];
    });
    unfinished.push(...(await findLateMoney(tx, person)));
    if (unfinished.length > 0) return { unfinished };
    await markUnpaidDeleted(tx, person, now);
    for (const service of services) await service.erase(tx, person);
    await tx
      .update(users)
      .set(endAllSessions(addMs(now, MAX_AHEAD_MS)))
      .where(eq(users.id, person.id));
    await eraseRows(tx, person);
    for (const { order } of locked) if (order.state === 'unpaid') await returnStock(tx, order);
    return { person };
  });
  if (typeof outcome === 'object' && 'person' in outcome) await notifyServers(db, ['tools', 'reviews']);
  return outcome;
}
