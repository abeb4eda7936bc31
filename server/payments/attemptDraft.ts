import { randomUUID } from 'node:crypto';
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

/** The key is random: a restored copy of this shop has orders with the same ids, at the same provider. */
export const attemptDraft = (orderId: string, n: number, amountCents: number, now: Date) => ({
  orderId,
  n,
  idempotencyKey: `order:${orderId}:${n}:${randomUUID()}`,
  amountCents,
  currency: CURRENCY,
  leaseUntil: leaseFrom(now),
});
