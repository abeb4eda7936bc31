import { TEXT } from '../../src/contract/limits';

/** Control, format, private and ignorable characters, half characters, and all kinds of blanks. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Z}\p{Default_Ignorable_Code_Point}]/u;
/** Letters and symbols that are drawn as nothing: Braille, an object's place, fillers of old scripts, a null note. */
const BLANK = /\u2800|\ufffc|\u{13441}|\u{13442}|\u{16fe4}|\u{1d159}/u;
const ADDRESS = /^[^@\s]+@[^@\s]+$/;
/** NFC makes text a few times shorter at most, and takes quadratic time on a long run of combining marks. */
const LONGEST_TYPED = 4 * TEXT.email;

const fold = (typed: string) => typed.trim().normalize('NFC').toLowerCase().normalize('NFC');

/** The one form in which an address is kept and compared; undefined when it is none. Dots and +tags stay: they tell people apart. */
export function normalizeEmail(typed: string): string | undefined {
  if (typed.trim().length > LONGEST_TYPED) return undefined;
  const email = storedEmail(typed);
  return email !== undefined && !INVISIBLE.test(email) && !BLANK.test(email) ? email : undefined;
}

/** An address that the shop would refuse today may be in the database: the operator can still name it. */
export function storedEmail(typed: string): string | undefined {
  const email = fold(typed);
  return email.length <= TEXT.email && ADDRESS.test(email) ? email : undefined;
}
