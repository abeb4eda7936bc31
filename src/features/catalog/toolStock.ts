import type { Tool } from '../../contract/entities';

export const hasMinimumInStock = ({ availableQuantity, minimumOrderQuantity }: Tool) =>
  availableQuantity >= minimumOrderQuantity;

/** @returns what an order means while the stock has less than a minimum order, or null */
export function stockNote(tool: Tool): string | null {
  if (hasMinimumInStock(tool)) return null;
  const reason = tool.availableQuantity === 0 ? 'Out of stock' : 'Not enough stock for a minimum order';
  return `${reason}. Ask for any quantity, and we may offer you a price.`;
}
