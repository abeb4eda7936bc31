import { MAX_LENGTH } from './limits';
import { looksLikeShop } from './shopName';

/** Matches control characters, lone surrogates, line separators and the blank Braille pattern. */
const UNSTORABLE = /[\p{Cc}\p{Cs}\u2028\u2029\u2800]/gu;

/** Emoji are matched first and kept, because some of them contain invisible characters. */
const MODIFIER = '[\\uFE0E\\uFE0F\\p{Emoji_Modifier}]?';
const PICTOGRAPH = `\\p{Extended_Pictographic}${MODIFIER}`;
const REGION_FLAG = '\\u{1F3F4}[\\u{E0030}-\\u{E007A}]{3,6}\\u{E007F}';
const KEYCAP = '[0-9#*]\\uFE0F\\u20E3';
const INVISIBLE = '[\\p{Default_Ignorable_Code_Point}\\uFFF9-\\uFFFB\\u007F-\\u009F]';
const EMOJI_OR_INVISIBLE = new RegExp(
  `(${REGION_FLAG}|${KEYCAP}|${PICTOGRAPH}(?:\\u200D${PICTOGRAPH})*)|${INVISIBLE}`,
  'gu',
);

/** Removes direction overrides and invisible characters, which can make one text look like another. */
export const removeInvisibleCharacters = (text: string) => text.replace(EMOJI_OR_INVISIBLE, '$1');

/** @returns the name as the server stores it: visible characters only, and no longer than the limit */
export function toStorableName(name: string): string {
  const visible = removeInvisibleCharacters(name.replace(UNSTORABLE, ' ')).trim();
  return removeInvisibleCharacters(visible.slice(0, MAX_LENGTH.name).replace(/\p{Cs}$/u, '')).trim();
}

interface Author {
  displayName: string;
  email: string | null;
  isAdmin: boolean;
}

const FALLBACK_NAME = 'A customer';

/**
 * Returns the name for orders and reviews: the display name, or else the part of the email before the @. Only admins
 * may have a name that looks like the shop's. If neither name can be used, returns "A customer".
 */
export function authorName({ displayName, email, isAdmin }: Author): string {
  const isAllowed = (name: string) => name !== '' && (isAdmin || !looksLikeShop(name));
  const name = toStorableName(displayName);
  if (isAllowed(name)) return name;
  const mailbox = toStorableName((email ?? '').split('@')[0]!);
  return isAllowed(mailbox) ? mailbox : FALLBACK_NAME;
}
