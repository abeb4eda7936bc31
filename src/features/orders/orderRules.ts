import type { Tool } from '../../contract/entities';
import { MAX_QUANTITY, MAX_TOTAL } from '../../contract/limits';
import { formatDollars, formatWithCommas } from '../../contract/formatWithCommas';
import { parseWholeNumber, wholeNumberRules } from '../../ui/fieldRules';

export const totalOf = (price: number, quantity: number) => price * quantity;

/** @returns the typed quantity, or NaN if it is not a whole number from 1 to `MAX_QUANTITY` */
export function parseQuantity(typed: string): number {
  const quantity = parseWholeNumber(typed);
  return quantity >= 1 && quantity <= MAX_QUANTITY ? quantity : NaN;
}

const quantityRules = wholeNumberRules('Quantity', { from: 1, to: MAX_QUANTITY });

/**
 * A quantity outside the range that the stock allows causes a warning and no error.
 * @returns the error of a quantity that can't be stored. It blocks the form.
 */
export function findQuantityError(typed: string): string | undefined {
  const result = quantityRules.validate(typed);
  return result === true ? undefined : result;
}

export type PricedStock = Pick<Tool, 'price' | 'minimumOrderQuantity' | 'availableQuantity'>;

/** The quantity is limited by the stock and by the largest amount that can be charged. */
const maxQuantityOf = ({ availableQuantity, price }: PricedStock) =>
  Math.min(availableQuantity, Math.floor(MAX_TOTAL / price));

export function isInRange(tool: PricedStock, quantity: number): boolean {
  return quantity >= tool.minimumOrderQuantity && quantity <= maxQuantityOf(tool);
}

/** @returns the nearest quantity that can be ordered, the smallest one if the quantity is NaN, undefined if none can */
export function nearestInRange(tool: PricedStock, quantity: number): number | undefined {
  const max = maxQuantityOf(tool);
  if (max < tool.minimumOrderQuantity) return undefined;
  return Math.min(Math.max(quantity || 0, tool.minimumOrderQuantity), max);
}

export function describeRange(tool: PricedStock): string {
  const { minimumOrderQuantity: min } = tool;
  const max = maxQuantityOf(tool);
  if (tool.availableQuantity === 0) return 'Out of stock right now.';
  if (tool.availableQuantity < min) return 'Not enough stock for a minimum order.';
  if (max < min) return `We can't charge more than ${formatDollars(MAX_TOTAL)} for one order.`;
  return `Order ${formatWithCommas(min)} to ${formatWithCommas(max)} pieces.`;
}

/** Buttons fill in these numbers of crates. A crate is the tool's minimum order. */
const CRATES_TO_PICK = [1, 2, 5];

/** @returns the numbers of crates to offer, without those that are out of range */
export const cratesToPick = (tool: PricedStock) =>
  CRATES_TO_PICK.filter((crates) => isInRange(tool, crates * tool.minimumOrderQuantity));

/** @returns the next multiple of a crate in this direction, limited to the range. Undefined if that changes nothing. */
export function nextCrate(tool: PricedStock, quantity: number, direction: 1 | -1): number | undefined {
  const { minimumOrderQuantity: crate } = tool;
  if (Number.isNaN(quantity)) return nearestInRange(tool, quantity);
  const crates = quantity / crate;
  const next = (direction === 1 ? Math.floor(crates) + 1 : Math.ceil(crates) - 1) * crate;
  const reachable = nearestInRange(tool, next);
  return reachable !== undefined && (reachable - quantity) * direction > 0 ? reachable : undefined;
}
