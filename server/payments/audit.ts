import { sql, type SQL } from 'drizzle-orm';
import { setTimeout as sleep } from 'node:timers/promises';
import { CENTS, CURRENCY } from '../../src/contract/limits';
import type { Db, Tx } from '../db/database';
import type { PaymentContext } from './context';
import { totalCents } from './payability';
import { returnCode } from './paymentProblems';
import { succeededSince, unrecordedOf } from './reconcile';
import { isDispute, isRefund, refundedCents } from './reversals';

/** One thing that does not hold: its name, what it is about, and the sentence. */
export interface Finding {
  name: string;
  subject: string;
  detail: string;
}

interface Check {
  name: string;
  /** Its rows are the findings: `subject` and the numbers that the sentence names. */
  query: SQL;
  say: (row: Record<string, string>) => string;
}

const reported = sql`string_agg(r.id || ': ' || r.status, ', ' order by r.id)`;
const dollars = (cents: string | undefined) => `$${(Number(cents) / CENTS).toFixed(2)}`;

/** Paid orders of which the provider reports such reversals. */
const reversal = (name: string, what: string, which: SQL, cents: SQL): Check => ({
  name,
  query: sql`
    select o.id as subject, ${cents} as cents, ${reported} as reported
    from payment_reversals r join payments p on p.intent_id = r.intent_id join orders o on o.id = p.order_id
    where o.state = 'paid' and p.outcome = 'paid' and ${which} group by o.id`,
  say: ({ cents: amount, reported: by }) =>
    `The provider reports a ${what} ${dollars(amount)} (${by}), and the order is still paid.`,
});

const CHECKS: Check[] = [
  {
    name: 'stock_does_not_add_up',
    query: sql`
      select t.id as subject, t.stocked_quantity as stocked, t.available_quantity as available,
        coalesce(h.held, 0) as held
      from tools t left join
        (select tool_id, sum(quantity) as held from orders where holds_stock group by tool_id) h on h.tool_id = t.id
      where t.stocked_quantity <> t.available_quantity + coalesce(h.held, 0)`,
    say: ({ stocked, available, held }) => `${stocked} were stocked, but ${available} are available and ${held} taken.`,
  },
  {
    name: 'paid_without_payment',
    query: sql`
      select o.id as subject from orders o
      where o.state = 'paid' and not exists (select from payments p where p.order_id = o.id and p.outcome = 'paid')`,
    say: () => 'The order is paid, and no payment is recorded for it.',
  },
  {
    name: 'payment_without_paid_order',
    query: sql`
      select p.intent_id as subject, o.state from payments p join orders o on o.id = p.order_id
      where o.state <> 'paid' and p.outcome = 'paid'`,
    say: ({ state }) => `The payment is recorded, and its order is ${state}.`,
  },
  {
    name: 'payment_of_other_amount',
    query: sql`
      select p.intent_id as subject, p.amount_cents as paid, p.currency, ${totalCents} as total
      from payments p join orders o on o.id = p.order_id
      where p.outcome = 'paid' and (p.amount_cents is distinct from ${totalCents} or p.currency <> ${CURRENCY})`,
    say: ({ paid, currency, total: due }) => `${paid} (${currency}) was paid, and the order's total is ${due}.`,
  },
  {
    name: 'payment_also_due_back',
    query: sql`select intent_id as subject from payments where outcome = 'paid' and reason is not null`,
    say: () => 'The payment is recorded both as an order’s and as due back.',
  },
  {
    name: 'succeeded_attempt_without_record',
    query: sql`
      select a.order_id as subject, a.intent_id as intent from payment_attempts a
      where a.state = 'succeeded' and not exists (select from payments p where p.intent_id = a.intent_id)`,
    say: ({ intent }) => `The attempt ${intent} succeeded, and its money is recorded nowhere.`,
  },
  {
    name: 'refund_due',
    query: sql`
      select intent_id as subject, order_id as "order", amount_cents as amount, currency, reason
      from payments where outcome = 'refund due' and returned_at is null`,
    say: ({ subject, amount, currency, reason, order }) =>
      `${amount} (${currency}) is to be given back: ${reason}${order ? ` ${order}` : ''}. Code ${returnCode(subject!)}.`,
  },
  reversal('order_refunded', 'refund of', isRefund, refundedCents),
  reversal('order_disputed', 'dispute over', isDispute, sql`sum(r.amount_cents)`),
  {
    name: 'order_count_wrong',
    query: sql`
      select 'orders' as subject, c.n as counted, o.n as there
      from (select coalesce(sum(n), 0) as n from order_counts) c,
        (select count(*) as n from orders where state <> 'deleted') o
      where c.n <> o.n`,
    say: ({ counted, there }) => `${counted} orders are counted, and there are ${there}.`,
  },
];

async function findings(tx: Tx, { name, query, say }: Check): Promise<Finding[]> {
  const { rows } = await tx.execute<Record<string, string>>(query);
  return rows.map((row) => ({ name, subject: row['subject']!, detail: say(row) }));
}

/** What our own rows say of money and stock, all at one moment. */
export function auditBooks(db: Db): Promise<Finding[]> {
  const moment = { isolationLevel: 'repeatable read', accessMode: 'read only' } as const;
  return db.transaction(async (tx) => {
    await tx.execute(sql`set local statement_timeout = 0`);
    const found: Finding[] = [];
    for (const check of CHECKS) found.push(...(await findings(tx, check)));
    return found;
  }, moment);
}

type AuditContext = Pick<PaymentContext, 'db' | 'provider' | 'shopId' | 'now'>;

const LOOK_BACK_MS = 30 * 24 * 3_600_000;
/** A payment may be on its way into the books just now. */
const SETTLES_WITHIN_MS = 3_000;

/** What the provider was paid and the books do not know. Throws PaymentProviderDown when it cannot be asked. */
export async function auditProvider({ db, provider, shopId, now }: AuditContext): Promise<Finding[]> {
  const found: Finding[] = [];
  for await (const batch of succeededSince({ provider, shopId }, new Date(now().getTime() - LOOK_BACK_MS))) {
    const missing = await unrecordedOf(db, batch);
    if (missing.length > 0) await sleep(SETTLES_WITHIN_MS);
    for (const { id, amountReceived, currency } of await unrecordedOf(db, missing))
      found.push({
        name: 'succeeded_not_recorded',
        subject: id,
        detail: `The provider received ${amountReceived} (${currency}), and it is recorded nowhere.`,
      });
  }
  return found;
}

export async function audit(ctx: AuditContext): Promise<Finding[]> {
  return [...(await auditBooks(ctx.db)), ...(await auditProvider(ctx))];
}
