import { passesLuhn } from '../luhn';

/** All test cards are Visa cards. */
export type Brand = 'visa' | 'unknown';

const RULES = {
  visa: { minDigits: 16, maxDigits: 16, cvcDigits: [3] },
  unknown: { minDigits: 14, maxDigits: 19, cvcDigits: [3, 4] },
};

export const digitsOf = (text: string) => text.replace(/\D/g, '');
export const brandOf = (digits: string): Brand => (digits.startsWith('4') ? 'visa' : 'unknown');
const ruleOf = (digits: string) => RULES[brandOf(digits)];

export const formatNumber = (digits: string): string =>
  digits
    .slice(0, ruleOf(digits).maxDigits)
    .match(/.{1,4}/g)
    ?.join(' ') ?? '';

/** Turns `5` into `05`, and shortens a year with four digits to two. */
export function formatExpiry(digits: string): string {
  const padded = /^[2-9]/.test(digits) ? `0${digits}` : digits;
  const month = padded.slice(0, 2);
  const year = padded.length === 6 ? padded.slice(4) : padded.slice(2, 4);
  return month.length < 2 ? month : `${month} / ${year}`;
}

export const formatCvc = (digits: string, number: string) => digits.slice(0, Math.max(...ruleOf(number).cvcDigits));

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

export function checkNumber(text: string): CardError | null {
  const digits = digitsOf(text);
  if (digits.length < ruleOf(digits).minDigits) return INCOMPLETE_NUMBER;
  return passesLuhn(digits) ? null : INVALID_NUMBER;
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
  return ruleOf(digitsOf(number)).cvcDigits.includes(digitsOf(text).length) ? null : INCOMPLETE_CVC;
}

export const checkPostal = (text: string) => (text.replace(/[^a-z0-9]/gi, '').length >= 3 ? null : INCOMPLETE_ZIP);

/** @returns whether the error only means that the customer has not typed everything yet */
export const isUnfinished = (error: CardError) => error.code.startsWith('incomplete_');
