import { isPhoneLongEnough } from '../contract/delivery';
import { formatDollars, formatWithCommas } from '../contract/formatWithCommas';
import { MAX_LENGTH, MAX_PRICE } from '../contract/limits';
import { safeHref } from '../contract/links';
import { requiredField } from '../contract/specMessages';
import { PAGE_MESSAGES } from '../contract/pageMessages';

const WHOLE_NUMBER = /^-?\d+$/;
const WITH_COMMAS = /^-?\d{1,3}(,\d{3})+$/;
const FRACTION = /^-?\d*(\.\d*|,\d{1,2})$/;

export const isFraction = (typed: string) => FRACTION.test(typed.trim());

const countCharacters = (text: string) => [...text].length;

/** Counts Unicode characters and not UTF-16 units, as the server does. */
const checkLength = (typed: string, max: number) =>
  countCharacters(typed.trim()) <= max || `Use at most ${formatWithCommas(max)} characters.`;

export const textRules = (label: string, max: number) => ({
  required: requiredField(label),
  validate: (typed: string) => (typed.trim() === '' ? requiredField(label) : checkLength(typed, max)),
});

export const phoneRules = {
  required: requiredField('Phone'),
  validate: (typed: string) => {
    if (typed.trim() === '') return requiredField('Phone');
    return isPhoneLongEnough(typed) ? checkLength(typed, MAX_LENGTH.phone) : PAGE_MESSAGES.phoneTooShort;
  },
};

export const optionalTextRules = (max: number) => ({ validate: (typed: string) => checkLength(typed, max) });

export const linkRules = (label: string) => ({
  required: requiredField(label),
  validate: (typed: string) => {
    if (typed.trim() === '') return requiredField(label);
    return safeHref(typed) !== null || PAGE_MESSAGES.linkInvalid;
  },
});

const withoutCommas = (text: string) => (WITH_COMMAS.test(text) ? text.replaceAll(',', '') : text);

/** @returns NaN unless the text is a whole number, such as "1800" or "1,800" */
export function parseWholeNumber(typed: string): number {
  const text = withoutCommas(typed.trim());
  return WHOLE_NUMBER.test(text) ? Number(text) : NaN;
}

type Bounds = { from: number; to: number; fraction?: string; outOfRange?: string };

const rangeMessage = (from: number, to: number) =>
  `Enter a whole number from ${formatWithCommas(from)} to ${formatWithCommas(to)}.`;

export const wholeNumberRules = (
  label: string,
  { from, to, outOfRange = rangeMessage(from, to), fraction = outOfRange }: Bounds,
) => ({
  required: requiredField(label),
  validate: (typed: string) => {
    const text = typed.trim();
    if (text === '') return requiredField(label);
    const number = parseWholeNumber(text);
    if (Number.isNaN(number) && isFraction(text)) return fraction;
    return (number >= from && number <= to) || outOfRange;
  },
});

export const priceRules = (label: string) =>
  wholeNumberRules(label, {
    from: 1,
    to: MAX_PRICE,
    fraction: PAGE_MESSAGES.wholeDollars,
    outOfRange: `Enter a price from $1 to ${formatDollars(MAX_PRICE)}.`,
  });
