import type { Order } from '../../../contract/entities';
import { formatDollars } from '../../../contract/formatWithCommas';
import type { OrderFilterName } from './orderStatus';

/** Our own sentences of Manage All Orders. */
export const ORDER_MESSAGES = {
  shipped: 'Order shipped',
  shipmentCorrected: 'Shipment corrected',
  priceOffered: 'Price offered',
  priceCorrected: 'Price corrected',
  refunded: 'Order refunded',
  partRefunded: 'Part of the order refunded',
  wasDeleted: 'This order was deleted.',
  reloaded: 'This page now shows the latest version of the order.',
  stockMissing: "There isn't enough stock for this order. Restock the tool in Add Product, then offer the price again.",
  refundRequested: "Refund requested. The payment provider hasn't confirmed it yet.",
  refundFailed: 'The refund failed at the payment provider. Check the payment there, then try again here.',
  disputeOpen: "The customer disputes this payment. Respond to the dispute in the payment provider's dashboard.",
  shippingRisk: 'This payment is disputed. If you ship now, you can lose both the tools and the money.',
  disputeWon: 'You won the dispute about this payment. The shop keeps the money.',
  disputeLost: 'You lost the dispute about this payment. The customer got the money back.',
  searchHint: 'Email, customer, product, address, reference, order or invoice number, or transaction ID.',
} as const;

const EMPTY_TITLES: Record<OrderFilterName, string> = {
  paid: 'Nothing to ship',
  unpriced: 'Nothing to price',
  unpaid: 'No unpaid orders',
  shipped: 'No shipped orders',
  refunded: 'No refunded orders',
  all: 'No orders yet',
};

export const emptyTitleOf = (filter: OrderFilterName, q: string) =>
  q ? `No order matches “${q}” here` : EMPTY_TITLES[filter];

export const formatOrderTotal = ({ price, totalQuantity }: Order) =>
  price === null ? 'Not priced' : formatDollars(price * totalQuantity);

export const customerNameOf = ({ client, email }: Order) => client || email;
