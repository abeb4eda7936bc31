import { sql } from 'drizzle-orm';
import { CENTS_PER_DOLLAR, CURRENCY } from '../../src/contract/limits';
import { TAKEN_NUMBERS, UNNUMBERED } from '../payments/paperNumbers';
import type { Check } from './finding';

const totalCents = sql.raw(`o.unit_price::bigint * o.quantity * ${CENTS_PER_DOLLAR}`);

export const DATABASE_CHECKS: Check[] = [
  {
    name: 'stock_does_not_add_up',
    query: sql`
      select t.id as subject, t.stocked_quantity as stocked, t.available_quantity as available,
        coalesce(holds.held, 0) as held
      from tools t left join
        (select tool_id, sum(quantity - coalesce(returned.pieces, 0)) as held
          from orders left join (select order_id, sum(restock_pieces) as pieces from refunds where done_at is not null group by 1)
            returned on returned.order_id = orders.id
          where holds_stock group by tool_id) holds
        on holds.tool_id = t.id
      where t.stocked_quantity <> t.available_quantity + coalesce(holds.held, 0)`,
    describe: ({ stocked, available, held }) =>
      `${stocked} pieces were stocked, but ${available} are available and ${held} are taken by orders.`,
  },
  {
    name: 'paid_without_payment',
    query: sql`
      select o.id as subject, o.state from orders o where o.state in ('paid', 'refunded')
        and not exists (select from payments p where p.order_id = o.id and p.outcome = 'paid')`,
    describe: ({ state }) => `The order is marked as ${state}, but no payment is recorded for it.`,
  },
  {
    name: 'payment_without_paid_order',
    query: sql`
      select p.intent_id as subject, o.state from payments p join orders o on o.id = p.order_id
      where o.state not in ('paid', 'refunded') and p.outcome = 'paid'`,
    describe: ({ state }) => `The payment is recorded, but its order is ${state}.`,
  },
  {
    name: 'payment_of_other_amount',
    query: sql`
      select p.intent_id as subject, p.amount_cents as paid, p.currency, ${totalCents} as total
      from payments p join orders o on o.id = p.order_id
      where p.outcome = 'paid' and (p.amount_cents is distinct from ${totalCents} or p.currency <> ${CURRENCY})`,
    describe: ({ paid, currency, total: due }) =>
      `${paid} cents (${currency}) were paid, but the order's total is ${due} cents.`,
  },
  {
    name: 'payment_also_due_back',
    query: sql`select intent_id as subject from payments where outcome = 'paid' and reason is not null`,
    describe: () => 'The payment is recorded as paid and also as due for a refund.',
  },
  {
    name: 'succeeded_attempt_without_record',
    query: sql`
      select a.order_id as subject, a.intent_id as intent from payment_attempts a
      where a.state = 'succeeded' and not exists (select from payments p where p.intent_id = a.intent_id)`,
    describe: ({ intent }) => `The payment ${intent} succeeded, but it is not recorded.`,
  },
  {
    name: 'paper_number_not_used_once',
    query: sql`
      select number as subject, count(used.number) as uses, bool_and(taken.number is null) as "isUnknown"
      from (${TAKEN_NUMBERS}) taken full join (
        select invoice as number from payments where invoice is not null
        union all select number from refunds where number is not null) used using (number)
      group by number having count(used.number) <> 1 or bool_and(taken.number is null) order by number limit 100`,
    describe: ({ uses, isUnknown }) =>
      isUnknown
        ? 'An invoice or a credit note has this number, but the series has not reached it. The next payments can fail.'
        : `${uses} invoices or credit notes have this number, instead of one.`,
  },
  {
    /** The previous version records payments and refunds without a number. The sweep numbers them within a minute. */
    name: 'paper_without_number',
    query: sql`
      select min(id) as subject, count(*) from (
        (${UNNUMBERED.invoice}) union all (select id::text, at from (${UNNUMBERED.credit}) refunds)) unnumbered
      where at < now() - interval '10 minutes' having count(*) > 0`,
    describe: ({ count }) =>
      `Invoices and credit notes without a number: ${count}. The sweep of a running server gives them one.`,
  },
];
