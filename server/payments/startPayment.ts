import { setTimeout as sleep } from 'node:timers/promises';
import { and, desc, eq, sql } from 'drizzle-orm';
import type { Intent } from '../../src/contract/entities';
import type { Caller } from '../auth/access';
import { orders } from '../db/schema';
import type { Deps } from '../deps';
import { orderNotFound } from '../http/problems';
import { UUID } from '../http/textValidation';
import type { PaymentIntent } from './provider';
import { endOutdated, lookAt, makeIntent } from './attempts';
import { begin } from './begin';
import { noOrderOfThisTotal, providerUnavailable } from './paymentProblems';

const PATIENCE_MS = 5_000;
const LOOK_AGAIN_MS = 100;

export interface Wanted {
  orderId: string | undefined;
  totalPrice: number;
}

/** Without an order's id: the caller's newest unpaid one of exactly this total. */
async function whichOrder({ db }: Deps, user: Caller, { orderId, totalPrice }: Wanted): Promise<string> {
  if (orderId !== undefined) {
    if (!UUID.test(orderId)) throw orderNotFound();
    return orderId.toLowerCase();
  }
  const [newest] = await db
    .select({ id: orders.id })
    .from(orders)
    .where(
      and(
        eq(orders.ownerId, user.id),
        eq(orders.state, 'unpaid'),
        sql`${orders.unitPrice}::bigint * ${orders.quantity} = ${totalPrice}::bigint`,
      ),
    )
    .orderBy(desc(orders.position))
    .limit(1);
  if (!newest) throw noOrderOfThisTotal();
  return newest.id;
}

async function tryOnce(deps: Deps, user: Caller, id: string, totalPrice: number): Promise<PaymentIntent | undefined> {
  const step = await begin(deps, user, id, totalPrice);
  if (step.kind === 'use') return lookAt(deps, step.attempt, step.intentId);
  if (step.kind === 'make') return makeIntent(deps, step.attempt, step.takenOver);
  if (step.kind === 'outdated') await endOutdated(deps, step.attempt);
  if (step.kind === 'wait' || !step.attempt.intentId) await sleep(LOOK_AGAIN_MS);
  return undefined;
}

/** The one live intent of an order, however many ask for it at once. */
export async function openPayment(deps: Deps, user: Caller, wanted: Wanted): Promise<Intent> {
  const id = await whichOrder(deps, user, wanted);
  const until = performance.now() + PATIENCE_MS;
  while (performance.now() < until) {
    const intent = await tryOnce(deps, user, id, wanted.totalPrice);
    if (!intent?.clientSecret) continue;
    await deps.before('answer intent');
    const { clientSecret, amount, currency } = intent;
    return { clientSecret, order: id, amount, currency };
  }
  throw providerUnavailable();
}
