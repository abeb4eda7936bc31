import type { UnpricedReason } from './entities';
import { MAX_TOTAL } from './limits';
import { formatDollars, formatWithCommas } from './formatWithCommas';

const SAVED = "We saved this order, but you can't pay for it";
const TOO_FEW_LEFT = `${SAVED}: there's not enough stock for a minimum order.`;

const NOTHING_LEFT: Record<UnpricedReason['reason'], string> = {
  range: `${SAVED}: the tool is out of stock.`,
  total: `${SAVED}: we can't charge more than ${formatDollars(MAX_TOTAL)} for one order.`,
};

/**
 * Explains why the order that was just placed can't be paid, and how many pieces the customer can order instead. Both
 * are from the server's response.
 */
export function createUnpricedNotice(unpriced: UnpricedReason | undefined, quantity: number): string {
  if (!unpriced) return `${SAVED}.`;
  const { reason, min, max } = unpriced;
  if (reason === 'range' && max > 0 && max < min) return TOO_FEW_LEFT;
  if (max < min) return NOTHING_LEFT[reason];
  const [ordered, from, to] = [quantity, min, max].map(formatWithCommas);
  return `${SAVED}: ${ordered} is outside the range. You can order ${from} to ${to} right now.`;
}
