import type { Tool, ToolDraft } from '../../../contract/entities';
import { MAX_QUANTITY } from '../../../contract/limits';
import { parseWholeNumber, wholeNumberRules } from '../../../ui/fieldRules';

export type ToolFields = Record<keyof ToolDraft, string>;

/** Must describe what `splitDescription` does. */
export const SPECIFICATION_HINT =
  'After the first line, each line like “Weight: 500 g” becomes a row of the specifications.';

export const minimumRules = wholeNumberRules('Minimum order quantity', { from: 1, to: MAX_QUANTITY });

export const BLANK_TOOL: ToolFields = {
  name: '',
  price: '',
  minimumOrderQuantity: '',
  availableQuantity: '',
  description: '',
  img: '',
};

export const draftOf = (fields: ToolFields): ToolDraft => ({
  name: fields.name.trim(),
  price: parseWholeNumber(fields.price),
  minimumOrderQuantity: parseWholeNumber(fields.minimumOrderQuantity),
  availableQuantity: parseWholeNumber(fields.availableQuantity),
  description: fields.description.trim(),
  img: fields.img.trim(),
});

/** @returns the tool for the preview, with placeholders for empty fields */
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

type Quantities = Pick<ToolFields, 'minimumOrderQuantity' | 'availableQuantity'>;

export const isMinimumAboveStock = ({ minimumOrderQuantity, availableQuantity }: Quantities) =>
  parseWholeNumber(minimumOrderQuantity) > parseWholeNumber(availableQuantity);
