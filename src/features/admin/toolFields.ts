import type { Tool, ToolDraft } from '../../contract/entities';
import { parseWholeNumber } from '../../ui/fieldRules';

export type ToolFields = Record<keyof ToolDraft, string>;

export const BLANK: ToolFields = {
  name: '',
  price: '',
  minimumOrderQuantity: '',
  availableQuantity: '',
  description: '',
  img: '',
};

export const draftOf = (fields: ToolFields): ToolDraft => ({
  name: fields.name.trim(),
  price: Number(fields.price),
  minimumOrderQuantity: Number(fields.minimumOrderQuantity),
  availableQuantity: Number(fields.availableQuantity),
  description: fields.description.trim(),
  img: fields.img.trim(),
});

/** @returns the tool as the shop will show it, with placeholders for what is not filled in yet */
export function previewOf(fields: ToolFields): Tool {
  const minimumOrderQuantity = parseWholeNumber(fields.minimumOrderQuantity) || 0;
  const available = parseWholeNumber(fields.availableQuantity);
  return {
    _id: 'preview',
    name: fields.name.trim() || 'Tool name',
    price: parseWholeNumber(fields.price) || 0,
    minimumOrderQuantity,
    availableQuantity: Number.isNaN(available) ? minimumOrderQuantity : available,
    description: fields.description.trim() || 'Your description will appear here.',
    img: fields.img,
  };
}

export const isMinimumAboveStock = ({ minimumOrderQuantity, availableQuantity }: ToolFields) =>
  parseWholeNumber(minimumOrderQuantity) > parseWholeNumber(availableQuantity);
