import { MAX_UNPRICED_ORDERS } from '../../src/contract/limits';
import { grouped } from '../../src/contract/numbers';
import { problem, type ProblemError } from '../http/problems';

export const orderPaid = problem(409, 'order_paid', 'This order is paid already.');
export const orderUnpriced = problem(
  409,
  'order_unpriced',
  'This order was recorded without a price: it cannot be paid.',
);
export const paymentInProgress = problem(
  409,
  'payment_in_progress',
  'A payment for this order is going through. Wait a moment and look again.',
);
export const ambiguousTool = problem(
  422,
  'ambiguous_tool',
  'Several tools have this name. Name the one you mean by its toolId.',
);
export const unknownToolName = () =>
  problem(
    422,
    'validation',
    'There is no tool of this name.',
  )({
    errors: [{ field: 'productName', message: 'is not the name of a tool.' }],
  });
export const keyReused = problem(
  422,
  'idempotency_key_reused',
  'This Idempotency-Key was used for another order. Send a new key with a new order.',
);
export const badKey = () =>
  problem(
    422,
    'validation',
    'The Idempotency-Key must have 1 to 255 visible characters.',
  )({
    errors: [{ field: 'idempotency-key', message: 'must have 1 to 255 visible characters.' }],
  });

export const priceChanged = (price: number): ProblemError =>
  problem(409, 'price_changed', `The price is now $${price} a piece. Please check the order.`)({ meta: { price } });

/** `isShared`: there is more, but not for this customer. */
export const outOfStock = (min: number, available: number, isShared = false): ProblemError =>
  problem(409, 'out_of_stock', outOfStockSentence(min, available, isShared))({ meta: { min, available } });

function outOfStockSentence(min: number, available: number, isShared: boolean): string {
  const instead = `You can order ${grouped(min)} to ${grouped(available)} instead.`;
  if (isShared)
    return `One customer can reserve at most half of the stock. ${
      available >= min ? instead : 'Pay for or delete another order of this tool, then try again.'
    }`;
  return available >= min ? `There are only ${grouped(available)} left. ${instead}` : 'This tool is out of stock now.';
}

export const tooManyUnpriced = problem(
  409,
  'too_many_unpriced_orders',
  `You have ${MAX_UNPRICED_ORDERS} orders that can't be paid. Delete one in My Orders, then order again.`,
);
