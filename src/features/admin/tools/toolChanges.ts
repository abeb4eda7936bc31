import type { Tool, ToolChange } from '../../../contract/entities';
import { failureOf } from '../../../contract/problem';
import { parseWholeNumber } from '../../../ui/fieldRules';

const TEXTS = ['name', 'description', 'img'] as const;
const NUMBERS = ['price', 'minimumOrderQuantity'] as const;
export const EDITED_FIELDS = ['name', 'price', 'minimumOrderQuantity', 'description', 'img'] as const;

export type EditedField = (typeof EDITED_FIELDS)[number];
export type EditFields = Record<EditedField, string>;
type Values = Pick<Tool, EditedField>;

export const fieldsOf = (tool: Values): EditFields => ({
  name: tool.name,
  price: String(tool.price),
  minimumOrderQuantity: String(tool.minimumOrderQuantity),
  description: tool.description,
  img: tool.img,
});

/** @returns the fields that the admin has changed, with their previous values, or undefined if nothing was changed */
export function changeOf(fields: EditFields, seen: Values): ToolChange | undefined {
  const before = fieldsOf(seen);
  const isChanged = (field: EditedField) => fields[field].trim() !== before[field].trim();
  const texts = TEXTS.filter(isChanged);
  const numbers = NUMBERS.filter(isChanged);
  if (texts.length + numbers.length === 0) return undefined;
  return {
    ...Object.fromEntries(texts.map((field) => [field, fields[field].trim()])),
    ...Object.fromEntries(numbers.map((field) => [field, parseWholeNumber(fields[field])])),
    was: Object.fromEntries([...texts, ...numbers].map((field) => [field, seen[field]])),
  };
}

/** @returns the current values of fields that another admin has changed, if that is why the server refused the edit */
export function changedValuesOf(error: unknown): Partial<Values> | undefined {
  const { problem } = failureOf(error);
  return problem?.code === 'tool_changed' ? (problem.meta as Partial<Values>) : undefined;
}

const SIGNED_NUMBER = /^[+-]\d{1,7}$/;

/**
 * Requires a sign, because a number without a sign could be meant as the new stock.
 * @returns NaN unless the text is a whole number with a sign, and not zero
 */
export function parseStockChange(typed: string): number {
  const text = typed.replaceAll(/\s/g, '').replace('\u2212', '-');
  const change = SIGNED_NUMBER.test(text) ? Number(text) : 0;
  return change === 0 ? NaN : change;
}
