import { and, eq } from 'drizzle-orm';
import { paymentAttempts } from '../db/schema';
import type { Bookkeeping } from '../deps';
import { retried } from '../db/retryConflicts';
import type { PaymentIntent, PaymentStatus } from './provider';
import { ask } from './ask';
import { limitDeclines } from './declines';
import { isOurs, orderOf } from './ours';
import { record, type Recorded } from './recordPayment';
import { recordUsual } from './recordUsual';
import { unsettledOf } from './unsettled';

export type Settlement =
  | { kind: 'paid' | 'due back'; orderId: string }
  | { kind: 'not complete'; orderId: string; status: PaymentStatus }
  | { kind: 'not ours' };

export const closeCanceled = ({ db }: Bookkeeping, intentId: string) =>
  db
    .update(paymentAttempts)
    .set({ state: 'canceled' })
    .where(and(eq(paymentAttempts.intentId, intentId), eq(paymentAttempts.state, 'open')));

const recordAnyhow = (deps: Bookkeeping, intent: PaymentIntent): Promise<Recorded> =>
  deps.db.transaction(async (tx) => {
    const recorded = await record(tx, intent);
    await deps.before('commit settlement');
    return recorded;
  });

/** What the provider says of a payment, made true here. */
export async function settleIntent(deps: Bookkeeping, intent: PaymentIntent): Promise<Settlement> {
  const { id, status } = intent;
  if (!(await isOurs(deps.db, intent))) return { kind: 'not ours' };
  const orderId = orderOf(intent);
  if (status === 'canceled') await closeCanceled(deps, id);
  if (status !== 'succeeded') return { kind: 'not complete', orderId, status };
  unsettledOf(deps.metrics).add(id);
  await deps.before('settle');
  const { kind, tookStock } = await retried(
    async () => (await recordUsual(deps, intent)) ?? (await recordAnyhow(deps, intent)),
  );
  unsettledOf(deps.metrics).delete(id);
  if (tookStock) await deps.catalogue.changed('tools');
  if (kind === 'due back') deps.log.error({ intentId: id, orderId }, 'a payment is due back');
  return { kind, orderId };
}

/** The one way in which an order becomes paid: by whatever the provider says now, in any order, any number of times. */
export async function settle(deps: Bookkeeping, intentId: string): Promise<Settlement> {
  const intent = await ask(() => deps.payments.findIntent(intentId));
  if (!intent) return { kind: 'not ours' };
  const settled = await settleIntent(deps, intent);
  if (settled.kind !== 'not complete') return settled;
  const limited = await limitDeclines(deps, intent);
  return limited === intent ? settled : settleIntent(deps, limited);
}
