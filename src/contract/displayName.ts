import { TEXT } from './limits';
import { looksLikeShop } from './shopName';

/** Control characters, halves of characters, line separators and a blank that is no space. */
const UNKEEPABLE = /[\p{Cc}\p{Cs}\u2028\u2029\u2800]/gu;

/** Invisible characters hold some emoji together and stay there. */
const TONE = '[\\uFE0E\\uFE0F\\p{Emoji_Modifier}]?';
const PICTURE = `\\p{Extended_Pictographic}${TONE}`;
const REGION = '\\u{1F3F4}[\\u{E0030}-\\u{E007A}]{3,6}\\u{E007F}';
const KEYCAP = '[0-9#*]\\uFE0F\\u20E3';
const HIDDEN = '[\\p{Default_Ignorable_Code_Point}\\uFFF9-\\uFFFB\\u007F-\\u009F]';
const EMOJI_OR_HIDDEN = new RegExp(`(${REGION}|${KEYCAP}|${PICTURE}(?:\\u200D${PICTURE})*)|${HIDDEN}`, 'gu');

/** Without direction overrides and invisible characters, which make a text look like another one. */
export const visibleText = (text: string) => text.replace(EMOJI_OR_HIDDEN, '$1');

/** As much of a name as the server keeps. */
export function keptName(name: string): string {
  const visible = visibleText(name.replace(UNKEEPABLE, ' ')).trim();
  return visibleText(visible.slice(0, TEXT.name).replace(/\p{Cs}$/u, '')).trim();
}

interface Named {
  displayName: string;
  email: string | null;
  isAdmin: boolean;
}

const NEUTRAL = 'A customer';

/**
 * The name on what someone writes: their display name, or the part of their email before the @. Only an admin may be
 * called like the shop.
 */
export function nameOf({ displayName, email, isAdmin }: Named): string {
  const mayBe = (name: string) => name !== '' && (isAdmin || !looksLikeShop(name));
  const name = keptName(displayName);
  if (mayBe(name)) return name;
  const mailbox = keptName((email ?? '').split('@')[0]!);
  return mayBe(mailbox) ? mailbox : NEUTRAL;
}
