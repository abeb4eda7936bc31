import { CURRENCY } from '../../src/contract/limits';
import type { paymentAttempts } from '../db/schema';

/** Longer than asking the provider can take: who finds it over may take over. */
const LEASE_MS = 30_000;

type Row = typeof paymentAttempts.$inferSelect;
export type Attempt = Pick<
  Row,
  'orderId' | 'n' | 'idempotencyKey' | 'amountCents' | 'currency' | 'leaseUntil' | 'createdAt'
>;

export const leaseFrom = (now: Date) => new Date(now.getTime() + LEASE_MS);

export const attemptDraft = (orderId: string, n: number, amountCents: number, now: Date) => ({
  orderId,
  n,
  idempotencyKey: `order:${orderId}:${n}:${amountCents}:${CURRENCY}`,
  amountCents,
  currency: CURRENCY,
  leaseUntil: leaseFrom(now),
});
