import { EMAIL_PATTERN } from '../../src/contract/emailPattern';
import { MAX_LENGTH } from '../../src/contract/limits';

/**
 * Matches characters that cannot be seen: control, format, private-use and ignorable characters, lone surrogates, and
 * whitespace.
 */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Z}\p{Default_Ignorable_Code_Point}]/u;
/** Matches characters that Unicode counts as visible although nothing is drawn, such as the blank Braille pattern. */
const BLANK = /\u2800|\ufffc|\u{13441}|\u{13442}|\u{16fe4}|\u{1d159}/u;
/** Longer texts are refused before NFC normalization, which takes quadratic time on many combining marks in a row. */
const MAX_TYPED_LENGTH = 4 * MAX_LENGTH.email;

const fold = (typed: string) => typed.trim().normalize('NFC').toLowerCase().normalize('NFC');

/**
 * Turns an email into the form that is stored and compared. Keeps dots and +tags, because they distinguish users.
 * @returns undefined if the text is not an email
 */
export function normalizeEmail(typed: string): string | undefined {
  if (typed.trim().length > MAX_TYPED_LENGTH) return undefined;
  const email = normalizeStoredEmail(typed);
  return email !== undefined && !INVISIBLE.test(email) && !BLANK.test(email) ? email : undefined;
}

/** Also accepts emails with invisible characters, because old accounts in the database can have such emails. */
export function normalizeStoredEmail(typed: string): string | undefined {
  const email = fold(typed);
  return email.length <= MAX_LENGTH.email && EMAIL_PATTERN.test(email) ? email : undefined;
}
