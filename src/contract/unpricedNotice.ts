import type { UnpricedReason } from './entities';
import { MAX_TOTAL } from './limits';
import { formatWithCommas } from './formatWithCommas';

const SAVED = "We saved this order, but you can't pay for it";
const LIMIT = "You've reached the limit of unpaid orders. Pay for or delete one, then order again.";
const TOO_FEW_LEFT = `${SAVED}: there's not enough stock for a minimum order.`;
const HALF_OF_STOCK = 'one customer can reserve at most half of the stock';

const withRange = (why: string, { min, max }: UnpricedReason) =>
  `${SAVED}: ${why}. You can order ${formatWithCommas(min)} to ${formatWithCommas(max)} right now.`;

const NOTHING_LEFT: Record<UnpricedReason['reason'], string> = {
  range: `${SAVED}: the tool is out of stock.`,
  total: `${SAVED}: we can't charge more than $${formatWithCommas(MAX_TOTAL)} for one order.`,
  share: `${SAVED}: ${HALF_OF_STOCK}. Pay for or delete another order of this tool, then order again.`,
  limit: `${LIMIT} ${SAVED}.`,
};

/**
 * Explains why the order that was just placed can't be paid, and how many pieces the customer can order instead. Both
 * are from the server's response.
 */
export function createUnpricedNotice(unpriced: UnpricedReason | undefined, quantity: number): string {
  if (!unpriced) return `${SAVED}.`;
  const { reason, min, max } = unpriced;
  if (reason === 'range' && max > 0 && max < min) return TOO_FEW_LEFT;
  if (reason === 'limit' || max < min) return NOTHING_LEFT[reason];
  return withRange(reason === 'share' ? HALF_OF_STOCK : `${formatWithCommas(quantity)} is outside the range`, unpriced);
}
