import type { Unpriced } from './entities';
import { MAX_TOTAL } from './limits';
import { grouped } from './numbers';

const SAVED = "We saved this order, but you can't pay for it";
const LIMIT = "You've reached the limit of unpaid orders. Pay for or delete one, then order again.";
const HALF = 'one customer can reserve at most half of the stock';

const inRange = (why: string, { min, max }: Unpriced) =>
  `${SAVED}: ${why}. You can order ${grouped(min)} to ${grouped(max)} right now.`;

const NOTHING_LEFT: Record<Unpriced['reason'], string> = {
  range: `${SAVED}: the tool is out of stock.`,
  total: `${SAVED}: we can't charge more than $${grouped(MAX_TOTAL)} for one order.`,
  share: `${SAVED}: ${HALF}. Pay for or delete another order of this tool, then order again.`,
  limit: `${LIMIT} ${SAVED}.`,
};

/** Why the order just placed can't be paid, and what can be ordered now, as the server decided it. */
export function unpricedNotice(unpriced: Unpriced | undefined, quantity: number): string {
  if (!unpriced) return `${SAVED}.`;
  const { reason, min, max } = unpriced;
  if (reason === 'limit' || max < min) return NOTHING_LEFT[reason];
  return inRange(reason === 'share' ? HALF : `${grouped(quantity)} is outside the range`, unpriced);
}
