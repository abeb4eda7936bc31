import { safeHref } from '../contract/links';
import { requiredField } from '../contract/specMessages';
import { PAGE_MESSAGES } from '../contract/pageMessages';

const WHOLE = /^-?\d+$/;
const FRACTION = /^-?\d*(\.\d*|,\d{1,2})$/;

const lengthOf = (text: string) => [...text].length;

/** Counted as the server counts: by characters, not by the halves that some are made of. */
const fits = (typed: string, most: number) => lengthOf(typed.trim()) <= most || `At most ${most} characters.`;

export const textRules = (label: string, most: number) => ({
  required: requiredField(label),
  validate: (typed: string) => (typed.trim() === '' ? requiredField(label) : fits(typed, most)),
});

export const optionalTextRules = (most: number) => ({ validate: (typed: string) => fits(typed, most) });

export const linkRules = (label: string) => ({
  required: requiredField(label),
  validate: (typed: string) => {
    if (typed.trim() === '') return requiredField(label);
    return safeHref(typed) !== null || PAGE_MESSAGES.link;
  },
});

/** What is written in a field for whole numbers, or NaN. */
export const wholeOf = (typed: string) => (WHOLE.test(typed.trim()) ? Number(typed) : NaN);

type Bounds = { from: number; to: number; fraction?: string };

export const wholeRules = (label: string, { from, to, fraction = PAGE_MESSAGES.wholeNumber }: Bounds) => ({
  required: requiredField(label),
  validate: (typed: string) => {
    const text = typed.trim();
    if (text === '') return requiredField(label);
    if (!WHOLE.test(text)) return FRACTION.test(text) ? fraction : PAGE_MESSAGES.wholeNumber;
    return (Number(text) >= from && Number(text) <= to) || `From ${from} to ${to}.`;
  },
});
