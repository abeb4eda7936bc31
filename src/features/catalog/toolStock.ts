import type { Tool } from '../../contract/entities';

export const hasMinimumInStock = ({ availableQuantity, minimumOrderQuantity }: Tool) =>
  availableQuantity >= minimumOrderQuantity;

/** @returns what an order means while the stock has less than a minimum order, or null */
export function stockNote(tool: Tool): string | null {
  if (hasMinimumInStock(tool)) return null;
  const reason = tool.availableQuantity === 0 ? 'Out of stock' : 'Not enough stock for a minimum order';
  return `${reason}. You can place an order, but you can't pay for it.`;
}
