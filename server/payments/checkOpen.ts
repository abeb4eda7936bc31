import { sql } from 'drizzle-orm';
import { orders, paymentAttempts, tools } from '../db/schema';
import type { Deps } from '../deps';
import { ask } from './ask';
import { oldestKeptPrice } from './payability';
import { nextTime } from './nextTime';
import { closeCanceled, settle, settleIntent } from './settlePayment';

/** What one round asks the provider for at most; who was asked for longest ago comes first. */
const BATCH = 200;
const AT_ONCE = 5;

interface Open {
  intentId: string;
  /** Its order takes money, at the price of the attempt. */
  isPayable: boolean;
}

/** Marks them as asked for in the statement that chooses them. */
async function chooseOpen({ db, now }: Deps): Promise<Open[]> {
  const priceIsOld = sql`coalesce(o.priced_at, o.created_at) <= ${oldestKeptPrice(now()).toISOString()}::timestamptz
    and o.unit_price <> (select price from ${tools} t where t.id = o.tool_id)`;
  const { rows } = await db.execute<{ intentId: string; isPayable: boolean }>(sql`
    with due as (
      select order_id, n from ${paymentAttempts} where state = 'open' and intent_id is not null
      order by checked_at nulls first limit ${BATCH}
    )
    update ${paymentAttempts} a set checked_at = ${now().toISOString()}::timestamptz
    from due, ${orders} o where a.order_id = due.order_id and a.n = due.n and o.id = a.order_id
    returning a.intent_id as "intentId", o.state = 'unpaid' and not (${priceIsOld}) as "isPayable"`);
  return rows;
}

/** The intent of an order that takes no money any more, or none at this price, is canceled. */
async function check(deps: Deps, { intentId, isPayable }: Open): Promise<void> {
  if (isPayable) return void (await settle(deps, intentId));
  const intent = await ask(() => deps.payments.cancelIntent(intentId));
  if (intent) await settleIntent(deps, intent);
  else await closeCanceled(deps, intentId);
}

/** The first one alone: a provider that was away is believed to be back only when one call has come through. */
export async function checkOpenAttempts(deps: Deps): Promise<void> {
  const open = await chooseOpen(deps);
  for (let at = 0, many = 1; at < open.length && !deps.closing.aborted; at += many, many = AT_ONCE) {
    await Promise.all(open.slice(at, at + many).map((one) => check(deps, one).catch(nextTime(deps, one.intentId))));
  }
}
