import { CONTACT } from '../../src/contract/contact';
import { MAX_UNPRICED_ORDERS } from '../../src/contract/limits';
import { formatDollars, formatWithCommas } from '../../src/contract/formatWithCommas';
import { formatShopTime } from '../mail/formatShopTime';
import { defineProblem, ProblemError } from '../http/problems';

export const orderPaid = defineProblem(409, 'order_paid', 'This order is already paid.');
export const orderUnpriced = defineProblem(409, 'order_unpriced', "You can't pay for this order: it has no price.");
export const orderPriced = defineProblem(409, 'order_priced', 'This order already has a price.');
export const otherOffer = defineProblem(409, 'order_priced', 'This order already has another price.');
export const orderNotPaid = defineProblem(409, 'order_not_paid', "This order isn't paid.");
export const orderShipped = defineProblem(409, 'order_not_paid', 'This order is already shipped.');
export const orderNotShipped = defineProblem(409, 'order_not_paid', "This order hasn't shipped yet.");
export const shippingRefunded = defineProblem(
  409,
  'order_not_paid',
  "This order can't ship: its payment was refunded.",
);
export const refundInProgress = defineProblem(
  409,
  'order_not_paid',
  "This order can't ship: its payment is being refunded.",
);
export const refundOpen = defineProblem(
  409,
  'refund_in_progress',
  'A refund of this order is still in progress. Wait a moment, then reload the page.',
);
export const orderRefunded = defineProblem(409, 'order_refunded', 'This order was already refunded.');
export const paymentOfOriginal = defineProblem(
  409,
  'payment_of_original',
  'This shop is a restored copy, and the original shop took this payment. Refund it in the original shop.',
);
export const orderDisputed = defineProblem(
  409,
  'order_disputed',
  "The customer disputes this payment, so you can't refund it. Respond to the dispute in the payment provider's dashboard.",
);
export const shippingDisputed = defineProblem(
  409,
  'order_disputed',
  'The customer disputes this payment. If you ship anyway, you can lose both the tools and the money.',
);
export const toolNotOnSale = defineProblem(409, 'tool_not_on_sale', "This tool isn't for sale anymore.");
export const paymentInProgress = defineProblem(
  409,
  'payment_in_progress',
  'A payment for this order is being processed. Wait a moment, then reload the page.',
);
export const ambiguousTool = defineProblem(
  422,
  'ambiguous_tool',
  'Several tools have this name. Send the toolId of the one you want.',
);
export const unknownToolName = defineProblem(422, 'validation', 'No tool has this name.', {
  errors: [{ field: 'productName', message: 'is not the name of a tool.' }],
});
export const priceChanged = (price: number): ProblemError =>
  new ProblemError(
    409,
    'price_changed',
    `The price is now ${formatDollars(price)} each. Review your order before you place it.`,
    { meta: { price } },
  );

export const outOfStock = (min: number, available: number): ProblemError => {
  const left = formatWithCommas(available);
  const sentence =
    available >= min
      ? `There are only ${left} left. You can order ${formatWithCommas(min)} to ${left} instead.`
      : 'This tool is out of stock.';
  return new ProblemError(409, 'out_of_stock', sentence, { meta: { min, available } });
};

export const holdLimit = (until: Date): ProblemError =>
  new ProblemError(
    409,
    'hold_limit',
    'We held this tool for you twice without a payment. You can order it or pay for it again from ' +
      `${formatShopTime(until)}. Questions? Call ${CONTACT.phone}.`,
    { meta: { until: until.toISOString() } },
  );

export const tooManyUnpaid = (max: number): ProblemError =>
  new ProblemError(
    409,
    'too_many_unpaid_orders',
    `You have ${max} unpaid orders. Pay for or delete one in My Orders, then order again.`,
  );

export const tooManyUnpriced = defineProblem(
  409,
  'too_many_unpriced_orders',
  `You have ${MAX_UNPRICED_ORDERS} orders that can't be paid. Delete one in My Orders, then order again.`,
);
