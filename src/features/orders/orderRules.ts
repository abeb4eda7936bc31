import type { Order, Tool } from '../../contract/entities';
import { MAX_QUANTITY, MAX_TOTAL } from '../../contract/limits';
import { SPEC_MESSAGES } from '../../contract/specMessages';
import { PAGE_MESSAGES } from '../../contract/pageMessages';
import { grouped } from '../../contract/numbers';
import { wholeOf } from '../../ui/fieldRules';

export type PaymentCell = 'pay' | 'paid' | 'delete';

/** A Pay link while unpaid and priced, the word Paid when paid, and otherwise a delete button. */
export function paymentCellOf({ paid, price }: Order): PaymentCell {
  if (paid) return 'paid';
  return price === null ? 'delete' : 'pay';
}

export const totalOf = (price: number, quantity: number) => price * quantity;

/** What is written in a quantity field and can be ordered, or NaN. */
export function quantityOf(typed: string): number {
  const quantity = wholeOf(typed);
  return quantity >= 1 && quantity <= MAX_QUANTITY ? quantity : NaN;
}

/** What keeps an order from being sent: a whole number that no tool can have is out of range like any other. */
export function quantityError(typed: string): string | undefined {
  if (Number.isNaN(wholeOf(typed))) return PAGE_MESSAGES.wholeNumber;
  return Number.isNaN(quantityOf(typed)) ? SPEC_MESSAGES.quantityRange : undefined;
}

type Range = Pick<Tool, 'price' | 'minimumOrderQuantity' | 'availableQuantity'>;

/** The most that can be sold at once: what there is, and what can be charged. */
const mostOf = ({ price, availableQuantity }: Range) => Math.min(availableQuantity, Math.floor(MAX_TOTAL / price));

export function fits(tool: Range, quantity: number): boolean {
  return quantity >= tool.minimumOrderQuantity && quantity <= mostOf(tool);
}

/** The nearest quantity that can be sold; undefined when none can. */
export function nearestThatFits(tool: Range, quantity: number): number | undefined {
  const most = mostOf(tool);
  if (most < tool.minimumOrderQuantity) return undefined;
  return Math.min(Math.max(quantity, tool.minimumOrderQuantity), most);
}

export function rangeSentence(tool: Range): string {
  const { minimumOrderQuantity: min } = tool;
  const most = mostOf(tool);
  return most < min
    ? 'Out of stock: no quantity can be paid for now.'
    : `From ${grouped(min)} to ${grouped(most)} pieces.`;
}
