import type { orders } from '../db/schema';
import { orderNotFound, type ProblemError } from '../http/problems';
import {
  orderDisputed,
  orderNotPaid,
  orderPaid,
  orderPriced,
  orderRefunded,
  orderShipped,
  orderUnpriced,
  paymentInProgress,
  paymentOfOriginal,
  refundInProgress,
  refundOpen,
  shippingDisputed,
  shippingRefunded,
} from './orderProblems';

/** Everything that decides what may happen to an order. */
export interface OrderFacts {
  state: (typeof orders.$inferSelect)['state'];
  isShipped: boolean;
  /** Whether an admin offered the order's price. */
  isOffered: boolean;
  /** Whether someone is canceling the payment, to delete the order, to correct its price or to end its hold. */
  isPaymentBeingCanceled: boolean;
  /** The cents of the payment that paid for the order and that no refund has returned yet. */
  leftCents: number;
  /** Whether a refund of that payment is requested or pending. */
  isRefundOpen: boolean;
  isRefundFailed: boolean;
  /** Whether the operator paid the money back in another way than through the provider. */
  isReturned: boolean;
  /** Whether the original of this restored copy took the payment. */
  isOfOriginal: boolean;
  dispute: (typeof orders.$inferSelect)['dispute'];
}

export type Question = 'pay' | 'ship' | 'refund' | 'delete' | 'price';
/** Creates the error response. */
export type Refusal = () => ProblemError;
/** Why something may not happen. Undefined means that it may. */
export type Answers = Record<Question, Refusal | undefined>;

const isDisputed = ({ dispute }: OrderFacts) => dispute === 'open' || dispute === 'lost';

function refuseToPay({ state, isPaymentBeingCanceled }: OrderFacts): Refusal | undefined {
  if (state === 'unpriced') return orderUnpriced;
  if (state === 'paid') return orderPaid;
  if (state === 'refunded') return orderRefunded;
  return isPaymentBeingCanceled ? paymentInProgress : undefined;
}

function refuseToShip(facts: OrderFacts, despiteDispute: boolean): Refusal | undefined {
  const { state, isShipped, isReturned } = facts;
  if (state === 'refunded' || isReturned) return shippingRefunded;
  if (state !== 'paid') return orderNotPaid;
  if (isShipped) return orderShipped;
  if (facts.isRefundOpen) return refundInProgress;
  return isDisputed(facts) && !despiteDispute ? shippingDisputed : undefined;
}

/** A refund that failed may be tried again, even if it had succeeded at first. */
function refuseToRefund(facts: OrderFacts): Refusal | undefined {
  const { state, leftCents, isRefundOpen, isRefundFailed, isReturned, isOfOriginal } = facts;
  if (state !== 'paid' && state !== 'refunded') return orderNotPaid;
  if (isOfOriginal) return paymentOfOriginal;
  if (isReturned || leftCents <= 0) return orderRefunded;
  if (isRefundOpen) return refundOpen;
  if (state === 'refunded' && !isRefundFailed) return orderRefunded;
  return isDisputed(facts) ? orderDisputed : undefined;
}

function refuseToDelete({ state, isPaymentBeingCanceled }: OrderFacts): Refusal | undefined {
  if (state === 'paid') return orderPaid;
  if (state === 'refunded') return orderRefunded;
  return isPaymentBeingCanceled ? paymentInProgress : undefined;
}

/** Only an offered price can be corrected, and only until it is paid. */
const refuseToPrice = (facts: OrderFacts): Refusal | undefined =>
  facts.state === 'unpaid' && !facts.isOffered ? orderPriced : refuseToDelete(facts);

/**
 * Decides what people may do with an order. Whoever does it asks this, while it has locked the order's row.
 * @param options `despiteDispute`: whether the admin has decided to ship although the customer disputes the payment
 */
export function mayHappen(facts: OrderFacts, { despiteDispute = false } = {}): Answers {
  if (facts.state === 'deleted')
    return {
      pay: orderNotFound,
      ship: orderNotFound,
      refund: orderNotFound,
      delete: orderNotFound,
      price: orderNotFound,
    };
  return {
    pay: refuseToPay(facts),
    ship: refuseToShip(facts, despiteDispute),
    refund: refuseToRefund(facts),
    delete: refuseToDelete(facts),
    price: refuseToPrice(facts),
  };
}

export function throwIfRefused(refusal: Refusal | undefined): void {
  if (refusal) throw refusal();
}
