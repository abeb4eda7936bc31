import { passesLuhn } from '../luhn';

export type Brand = 'visa' | 'mastercard' | 'amex' | 'discover' | 'diners' | 'jcb' | 'unionpay' | 'unknown';

interface BrandRule {
  starts: RegExp;
  lengths: number[];
  groups: number[];
  cvc: number[];
}

const GROUPS_OF_FOUR = [4, 4, 4, 4, 3];
const sixteenDigitBrand = (starts: RegExp): BrandRule => ({ starts, lengths: [16], groups: GROUPS_OF_FOUR, cvc: [3] });

const BRANDS: Record<Brand, BrandRule> = {
  visa: sixteenDigitBrand(/^4/),
  mastercard: sixteenDigitBrand(/^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/),
  amex: { starts: /^3[47]/, lengths: [15], groups: [4, 6, 5], cvc: [4] },
  discover: sixteenDigitBrand(/^(6011|64[4-9]|65)/),
  diners: { starts: /^(36|38|39|30[0-5])/, lengths: [14], groups: [4, 6, 4], cvc: [3] },
  jcb: sixteenDigitBrand(/^35(2[89]|[3-8])/),
  unionpay: { starts: /^(62|81)/, lengths: [16, 17, 18, 19], groups: GROUPS_OF_FOUR, cvc: [3] },
  unknown: { starts: /^/, lengths: [16, 17, 18, 19], groups: GROUPS_OF_FOUR, cvc: [3, 4] },
};

export const digitsOf = (text: string) => text.replace(/\D/g, '');

export function brandOf(digits: string): Brand {
  const names = Object.keys(BRANDS) as Brand[];
  return digits === '' ? 'unknown' : (names.find((name) => BRANDS[name].starts.test(digits)) ?? 'unknown');
}

const ruleOf = (number: string) => BRANDS[brandOf(number)];

/** Groups the digits as the brand does and cuts them at the brand's maximum length. */
export function formatNumber(digits: string): string {
  const { groups, lengths } = ruleOf(digits);
  const cut = digits.slice(0, Math.max(...lengths));
  const parts: string[] = [];
  let start = 0;
  for (const size of groups) {
    if (start < cut.length) parts.push(cut.slice(start, start + size));
    start += size;
  }
  return parts.join(' ');
}

/** Turns `5` into `05`, and shortens a year with four digits to two. */
export function formatExpiry(digits: string): string {
  const padded = /^[2-9]/.test(digits) ? `0${digits}` : digits;
  const month = padded.slice(0, 2);
  const year = padded.length === 6 ? padded.slice(4) : padded.slice(2, 4);
  return month.length < 2 ? month : `${month} / ${year}`;
}

export const formatCvc = (digits: string, number: string) => digits.slice(0, Math.max(...ruleOf(number).cvc));

export interface CardError {
  type: 'validation_error';
  code: string;
  message: string;
}

const createCardError = (code: string, message: string): CardError => ({ type: 'validation_error', code, message });
const INCOMPLETE_NUMBER = createCardError('incomplete_number', 'Your card number is incomplete.');
const INVALID_NUMBER = createCardError('invalid_number', 'Your card number is invalid.');
const INCOMPLETE_EXPIRY = createCardError('incomplete_expiry', "Your card's expiration date is incomplete.");
const INVALID_MONTH = createCardError('invalid_expiry_month', "Your card's expiration date is invalid.");
const PAST_DATE = createCardError('invalid_expiry_month_past', "Your card's expiration date is in the past.");
const PAST_YEAR = createCardError('invalid_expiry_year_past', "Your card's expiration year is in the past.");
const INVALID_YEAR = createCardError('invalid_expiry_year', "Your card's expiration year is invalid.");
const INCOMPLETE_CVC = createCardError('incomplete_cvc', "Your card's security code is incomplete.");
const INCOMPLETE_ZIP = createCardError('incomplete_zip', 'Your postal code is incomplete.');

/**
 * Whether more digits could still make the number valid. They cannot for an unknown brand, because the sandbox accepts
 * none of its cards.
 */
const canBecomeValid = (digits: string, lengths: number[]) =>
  brandOf(digits) !== 'unknown' && digits.length < Math.max(...lengths);

export function checkNumber(text: string): CardError | null {
  const digits = digitsOf(text);
  const { lengths } = ruleOf(digits);
  if (digits.length < Math.min(...lengths)) return INCOMPLETE_NUMBER;
  if (passesLuhn(digits)) return null;
  return canBecomeValid(digits, lengths) ? INCOMPLETE_NUMBER : INVALID_NUMBER;
}

export function checkExpiry(text: string, now: Date): CardError | null {
  const digits = digitsOf(text);
  const month = Number(digits.slice(0, 2));
  if (digits.length >= 2 && (month < 1 || month > 12)) return INVALID_MONTH;
  if (digits.length < 4) return INCOMPLETE_EXPIRY;
  const year = 2000 + Number(digits.slice(2));
  const thisYear = now.getFullYear();
  if (year < thisYear) return PAST_YEAR;
  if (year === thisYear && month < now.getMonth() + 1) return PAST_DATE;
  return year > thisYear + 50 ? INVALID_YEAR : null;
}

export function checkCvc(text: string, number: string): CardError | null {
  return ruleOf(digitsOf(number)).cvc.includes(digitsOf(text).length) ? null : INCOMPLETE_CVC;
}

export const checkPostal = (text: string) => (text.replace(/[^a-z0-9]/gi, '').length >= 3 ? null : INCOMPLETE_ZIP);

/** @returns whether the error only means that the customer has not typed everything yet */
export const isUnfinished = (error: CardError) => error.code.startsWith('incomplete_');
