import type { Order, Refund } from './entities';
import { CENTS_PER_DOLLAR } from './limits';

/** @returns the cents of the order's total that no refund has returned yet */
export const leftCentsOf = ({ price, totalQuantity, refundedCents = 0 }: Order): number =>
  (price ?? 0) * totalQuantity * CENTS_PER_DOLLAR - refundedCents;

/** @returns the refunds that returned only part of the payment, oldest first */
export const partialRefundsOf = ({ refunds = [] }: Order): Refund[] => refunds.filter(({ pieces }) => pieces === null);
