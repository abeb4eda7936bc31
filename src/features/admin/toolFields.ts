import type { Tool, ToolDraft } from '../../contract/entities';
import { wholeOf } from '../../ui/fieldRules';

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

/** As far as it is filled in, the tool as it will stand in the shop. */
export function toolOf(fields: ToolFields): Tool {
  const minimumOrderQuantity = wholeOf(fields.minimumOrderQuantity) || 0;
  const available = wholeOf(fields.availableQuantity);
  return {
    _id: 'preview',
    name: fields.name.trim() || 'Name of the tool',
    price: wholeOf(fields.price) || 0,
    minimumOrderQuantity,
    availableQuantity: Number.isNaN(available) ? minimumOrderQuantity : available,
    description: fields.description.trim() || 'What it is and what it does.',
    img: fields.img,
  };
}

export const isShort = ({ minimumOrderQuantity, availableQuantity }: ToolFields) =>
  wholeOf(minimumOrderQuantity) > wholeOf(availableQuantity);
