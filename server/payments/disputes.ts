import { sql } from 'drizzle-orm';
import type { Tx } from '../db/database';
import type { PaymentContext } from './context';
import { paymentTransaction } from './paymentTransaction';
import { isOpenOrLostDispute } from './reversals';

/** SQL over a row of `payment_reversals`: the dispute's state in the form in which the order stores it. */
export const DISPUTE_STATE = sql.raw(`case when status in ('won', 'warning_closed', 'prevented') then 'won'
  when status = 'lost' then 'lost' else 'open' end`);

/** The provider's code for refusing a refund of a disputed payment. */
export const REFUSED_FOR_DISPUTE = 'charge_disputed';

/** @returns whether a dispute over this payment is open or lost. A refund would then pay the customer twice. */
export async function hasOpenOrLostDispute(tx: Tx, intentId: string): Promise<boolean> {
  const { rowCount } = await tx.execute(
    sql`select from payment_reversals r where r.intent_id = ${intentId} and ${isOpenOrLostDispute} limit 1`,
  );
  return rowCount !== 0;
}

/**
 * Copies the state of the payment's dispute that changed last to the order. Reads that state under the order's lock,
 * because otherwise an older state could overwrite a newer one.
 */
export const updateDispute = ({ db }: Pick<PaymentContext, 'db'>, intentId: string): Promise<void> =>
  paymentTransaction(db, intentId, async (tx, { order }) => {
    if (!order) return;
    await tx.execute(sql`
      update orders set dispute = (
        select ${DISPUTE_STATE} from payment_reversals where intent_id = ${intentId} and kind = 'dispute'
        order by updated_at desc limit 1)
      where id = ${order.id}`);
  });
