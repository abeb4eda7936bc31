import { parseWholeNumber } from '../../ui/fieldRules';
import { STAR_VALUES } from './Stars';

/** @returns the number of stars, or 0 unless the text is a valid rating */
export function parseRating(typed: string): number {
  const rating = parseWholeNumber(typed);
  return STAR_VALUES.includes(rating) ? rating : 0;
}
