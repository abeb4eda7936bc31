import { problem, type Refusal } from '../errors';
import { PaymentProviderDown } from '../providers/payments';

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
export const providerUnavailable = () =>
  problem(
    503,
    'payment_provider_unavailable',
    'The payment service does not answer. Nothing was changed; try again.',
  )({
    headers: { 'retry-after': '5' },
  });
/** In the shop's words; what the provider said is for the log. */
export const asRefusal = (error: unknown) =>
  error instanceof PaymentProviderDown ? Object.assign(providerUnavailable(), { cause: error }) : error;
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

export const priceChanged = (price: number): Refusal =>
  problem(409, 'price_changed', `The price is now $${price} a piece. Please check the order.`)({ meta: { price } });

export const outOfStock = (min: number, available: number): Refusal =>
  problem(
    409,
    'out_of_stock',
    available >= min
      ? `There are only ${available} left. You can order ${min} to ${available} instead.`
      : 'This tool is out of stock now.',
  )({ meta: { min, available } });
