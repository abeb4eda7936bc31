import type { Order, Refund } from './entities';
import { formatCents, formatWithCommas } from './formatWithCommas';
import { CENTS_PER_DOLLAR } from './limits';

type RefundedOrder = Pick<Order, 'price' | 'totalQuantity' | 'refundedPieces' | 'refundedCents'>;
const centsOf = (pieces: number, { price }: RefundedOrder) => pieces * (price ?? 0) * CENTS_PER_DOLLAR;

/** @returns the cents of the order's total that no refund has returned yet */
export const leftCentsOf = (order: RefundedOrder): number =>
  centsOf(order.totalQuantity, order) - (order.refundedCents ?? 0);

/** @returns how many pieces can still be refunded, which is what the money that is left covers */
export const leftPiecesOf = (order: RefundedOrder): number =>
  Math.min(order.totalQuantity - (order.refundedPieces ?? 0), Math.ceil(leftCentsOf(order) / centsOf(1, order)));

/** @returns the cents of a refund. The last pieces take the rest, of which the provider may have returned a part. */
export const refundCentsOf = (order: RefundedOrder, pieces: number): number =>
  pieces < leftPiecesOf(order) ? centsOf(pieces, order) : leftCentsOf(order);

export const sumCents = (refunds: readonly Pick<Refund, 'cents'>[]): number =>
  refunds.reduce((sum, { cents }) => sum + cents, 0);
export const sumPieces = (refunds: readonly Pick<Refund, 'pieces'>[]): number =>
  refunds.reduce((sum, { pieces }) => sum + (pieces ?? 0), 0);

/** Formats what was refunded as "Refunded $34 (2 of 10 pieces)". */
export function describeRefund({ cents, pieces }: Pick<Refund, 'cents' | 'pieces'>, { totalQuantity }: Order): string {
  const isPart = pieces !== null && pieces > 0 && pieces < totalQuantity;
  const part = isPart ? ` (${formatWithCommas(pieces)} of ${formatWithCommas(totalQuantity)} pieces)` : '';
  return `Refunded ${formatCents(cents)}${part}`;
}
