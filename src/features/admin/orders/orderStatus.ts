import type { Order, OrderCounts, OrderStatus } from '../../../contract/entities';
import { formatWithCommas } from '../../../contract/formatWithCommas';
import { MAX_COUNTED_ORDERS } from '../../../contract/limits';

export type OrderFilterName = OrderStatus | 'all';

export const STATUS_LABELS: Record<OrderStatus, string> = {
  paid: 'To ship',
  unpriced: 'To price',
  unpaid: 'Unpaid',
  shipped: 'Shipped',
  refunded: 'Refunded',
};

const FILTER_NAMES: OrderFilterName[] = ['paid', 'unpriced', 'unpaid', 'shipped', 'refunded', 'all'];

export const FILTERS = FILTER_NAMES.map((name) => ({ name, label: name === 'all' ? 'All' : STATUS_LABELS[name] }));

/** @returns the filter in the URL. By default, it shows the orders that have to be shipped. */
export const parseFilter = (text: string | null): OrderFilterName =>
  FILTER_NAMES.find((name) => name === text) ?? 'paid';

export function formatFilterCount(name: OrderFilterName, counts: OrderCounts, total: number): string {
  if (name === 'all') return formatWithCommas(total);
  return `${formatWithCommas(counts[name])}${counts[name] >= MAX_COUNTED_ORDERS ? '+' : ''}`;
}

/** A paid order must not be shipped while its refund is pending. */
export const canShip = ({ status, refundRequested }: Order) => status === 'paid' && !refundRequested;

/**
 * Whether a dispute may take the money back or has done so. The order can still be shipped, but the page warns the
 * admin.
 */
export const hasOpenOrLostDispute = ({ dispute }: Order) => dispute === 'open' || dispute === 'lost';

const needsSameAction = (order: Order, status: OrderStatus) =>
  order.status === status && (status !== 'paid' || (canShip(order) && !hasOpenOrLostDispute(order)));

/**
 * Looks first below the handled order, and then from the top of the list.
 * @returns the next order that needs the same action
 */
export function findNextOrder(rows: readonly Order[], handled: Order): Order | undefined {
  const at = rows.findIndex(({ _id }) => _id === handled._id);
  const others = [...rows.slice(at + 1), ...rows.slice(0, Math.max(at, 0))];
  return others.find((order) => order._id !== handled._id && needsSameAction(order, handled.status));
}

/** Shows the open order in its newest version, even if its new status does not match the filter. */
export function withOpenOrder(rows: readonly Order[], open: Order | undefined): readonly Order[] {
  if (!open) return rows;
  if (rows.some(({ _id }) => _id === open._id)) return rows.map((row) => (row._id === open._id ? open : row));
  const older = rows.findIndex(({ placedAt }) => placedAt < open.placedAt);
  const at = older < 0 ? rows.length : older;
  return [...rows.slice(0, at), open, ...rows.slice(at)];
}
