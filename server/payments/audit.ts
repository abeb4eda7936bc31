import { sql, type SQL } from 'drizzle-orm';
import { setTimeout as sleep } from 'node:timers/promises';
import { CENTS_PER_DOLLAR, CURRENCY } from '../../src/contract/limits';
import type { Db, Tx } from '../db/database';
import type { PaymentContext } from './context';
import { totalCents } from './payability';
import { refundCode } from './paymentProblems';
import { listSucceededSince, filterUnrecorded } from './reconcile';
import { isDispute, isRefund, refundedCents } from './reversals';

/** One inconsistency: its name, the id of the row or intent, and a sentence for the operator. */
export interface Finding {
  name: string;
  subject: string;
  detail: string;
}

interface Check {
  name: string;
  /** Each row is a finding: its `subject` and the values that the sentence needs. */
  query: SQL;
  describe: (row: Record<string, string>) => string;
}

const reported = sql`string_agg(r.id || ': ' || r.status, ', ' order by r.id)`;
const dollars = (cents: string | undefined) => `$${(Number(cents) / CENTS_PER_DOLLAR).toFixed(2)}`;

/** Finds paid orders whose payments the provider reports as reversed. */
const reversalCheck = (name: string, noun: string, condition: SQL, cents: SQL): Check => ({
  name,
  query: sql`
    select o.id as subject, ${cents} as cents, ${reported} as reported
    from payment_reversals r join payments p on p.intent_id = r.intent_id join orders o on o.id = p.order_id
    where o.state = 'paid' and p.outcome = 'paid' and ${condition} group by o.id`,
  describe: ({ cents: amount, reported: reversals }) =>
    `The provider reports a ${noun} ${dollars(amount)} (${reversals}), but the order is still marked as paid.`,
});

const CHECKS: Check[] = [
  {
    name: 'stock_does_not_add_up',
    query: sql`
      select t.id as subject, t.stocked_quantity as stocked, t.available_quantity as available,
        coalesce(holds.held, 0) as held
      from tools t left join
        (select tool_id, sum(quantity) as held from orders where holds_stock group by tool_id) holds
        on holds.tool_id = t.id
      where t.stocked_quantity <> t.available_quantity + coalesce(holds.held, 0)`,
    describe: ({ stocked, available, held }) =>
      `${stocked} pieces were stocked, but ${available} are available and ${held} are taken by orders.`,
  },
  {
    name: 'paid_without_payment',
    query: sql`
      select o.id as subject from orders o
      where o.state = 'paid' and not exists (select from payments p where p.order_id = o.id and p.outcome = 'paid')`,
    describe: () => 'The order is marked as paid, but no payment is recorded for it.',
  },
  {
    name: 'payment_without_paid_order',
    query: sql`
      select p.intent_id as subject, o.state from payments p join orders o on o.id = p.order_id
      where o.state <> 'paid' and p.outcome = 'paid'`,
    describe: ({ state }) => `The payment is recorded, but its order is ${state}.`,
  },
  {
    name: 'payment_of_other_amount',
    query: sql`
      select p.intent_id as subject, p.amount_cents as paid, p.currency, ${totalCents} as total
      from payments p join orders o on o.id = p.order_id
      where p.outcome = 'paid' and (p.amount_cents is distinct from ${totalCents} or p.currency <> ${CURRENCY})`,
    describe: ({ paid, currency, total: due }) => `${paid} (${currency}) was paid, but the order's total is ${due}.`,
  },
  {
    name: 'payment_also_due_back',
    query: sql`select intent_id as subject from payments where outcome = 'paid' and reason is not null`,
    describe: () => 'The payment is recorded both as paying an order and as due to be refunded.',
  },
  {
    name: 'succeeded_attempt_without_record',
    query: sql`
      select a.order_id as subject, a.intent_id as intent from payment_attempts a
      where a.state = 'succeeded' and not exists (select from payments p where p.intent_id = a.intent_id)`,
    describe: ({ intent }) => `The payment ${intent} succeeded, but it is not recorded.`,
  },
  {
    name: 'refund_due',
    query: sql`
      select intent_id as subject, order_id as "order", amount_cents as amount, currency, reason
      from payments where outcome = 'refund due' and returned_at is null`,
    describe: ({ subject, amount, currency, reason, order }) =>
      `${amount} (${currency}) must be refunded: ${reason}${order ? ` ${order}` : ''}. Code ${refundCode(subject!)}.`,
  },
  reversalCheck('order_refunded', 'refund of', isRefund, refundedCents),
  reversalCheck('order_disputed', 'dispute over', isDispute, sql`sum(r.amount_cents)`),
  {
    name: 'order_count_wrong',
    query: sql`
      select 'orders' as subject, counter.n as counted, actual.n as existing
      from (select coalesce(sum(n), 0) as n from order_counts) counter,
        (select count(*) as n from orders where state <> 'deleted') actual
      where counter.n <> actual.n`,
    describe: ({ counted, existing }) => `The counter says ${counted} orders, but ${existing} exist.`,
  },
];

async function runCheck(tx: Tx, { name, query, describe }: Check): Promise<Finding[]> {
  const { rows } = await tx.execute<Record<string, string>>(query);
  return rows.map((row) => ({ name, subject: row['subject']!, detail: describe(row) }));
}

/** Checks money and stock in the local database, in one snapshot. */
export function auditBooks(db: Db): Promise<Finding[]> {
  const options = { isolationLevel: 'repeatable read', accessMode: 'read only' } as const;
  return db.transaction(async (tx) => {
    await tx.execute(sql`set local statement_timeout = 0`);
    const found: Finding[] = [];
    for (const check of CHECKS) found.push(...(await runCheck(tx, check)));
    return found;
  }, options);
}

type AuditContext = Pick<PaymentContext, 'db' | 'provider' | 'shopId' | 'now'>;

const LOOK_BACK_MS = 30 * 24 * 3_600_000;
/** A payment that was made just now may not be recorded yet. */
const SETTLES_WITHIN_MS = 3_000;

/** Finds payments at the provider that are not recorded. Throws PaymentProviderDown if the provider is unreachable. */
export async function auditProvider({ db, provider, shopId, now }: AuditContext): Promise<Finding[]> {
  const found: Finding[] = [];
  for await (const batch of listSucceededSince({ provider, shopId }, new Date(now().getTime() - LOOK_BACK_MS))) {
    const missing = await filterUnrecorded(db, batch);
    if (missing.length > 0) await sleep(SETTLES_WITHIN_MS);
    for (const { id, amountReceived, currency } of await filterUnrecorded(db, missing))
      found.push({
        name: 'succeeded_not_recorded',
        subject: id,
        detail: `The provider received ${amountReceived} (${currency}), but it is not recorded.`,
      });
  }
  return found;
}

export async function audit(ctx: AuditContext): Promise<Finding[]> {
  return [...(await auditBooks(ctx.db)), ...(await auditProvider(ctx))];
}
