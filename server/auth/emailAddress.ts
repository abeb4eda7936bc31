import { MAX_LENGTH } from '../../src/contract/limits';

/** Matches control, format, private-use and ignorable characters, lone surrogates, and all kinds of whitespace. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Z}\p{Default_Ignorable_Code_Point}]/u;
/**
 * Matches characters that Unicode counts as visible but that are drawn as nothing, such as the blank Braille pattern.
 */
const BLANK = /\u2800|\ufffc|\u{13441}|\u{13442}|\u{16fe4}|\u{1d159}/u;
const ADDRESS = /^[^@\s]+@[^@\s]+$/;
/** Longer texts are refused before NFC, which takes quadratic time on a long run of combining marks. */
const MAX_TYPED_LENGTH = 4 * MAX_LENGTH.email;

const fold = (typed: string) => typed.trim().normalize('NFC').toLowerCase().normalize('NFC');

/**
 * Normalizes an email to the form that is stored and compared. Dots and +tags are kept, because they distinguish users.
 * @returns undefined if the text is not an email
 */
export function normalizeEmail(typed: string): string | undefined {
  if (typed.trim().length > MAX_TYPED_LENGTH) return undefined;
  const email = normalizeStoredEmail(typed);
  return email !== undefined && !INVISIBLE.test(email) && !BLANK.test(email) ? email : undefined;
}

/** Accepts emails with invisible characters too, because the database can have old accounts with such emails. */
export function normalizeStoredEmail(typed: string): string | undefined {
  const email = fold(typed);
  return email.length <= MAX_LENGTH.email && ADDRESS.test(email) ? email : undefined;
}
