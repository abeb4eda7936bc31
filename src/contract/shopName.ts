/** The name of the shop. Only admins may have a display name that looks like it. */
export const SHOP_NAME = 'Forgeline';

/**
 * Lower-case characters that look like letters of the shop's name and are not changed by NFKD normalization: letters of
 * other scripts, small capitals, digits and signs.
 */
const SIMILAR_LETTERS: Record<string, string> = {
  f: 'ƒꜰϝғꓝ',
  o: '0οоօøᴏⲟꓳ',
  r: 'гʀᴦɍꭱꓣ',
  g: '69qɡɢցǥɠꮐꓖ',
  e: '3еєэεɇᴇ€ɛəꭼꓰ',
  l: '1|!¡ιіıɪӏłƚɨʟᴌⲓןاꮮꓡꓲ',
  n: 'νпոռηɴᴎɲŋꓠ',
};
const LETTER_OF = new Map(
  Object.entries(SIMILAR_LETTERS).flatMap(([letter, similar]) => [...similar].map((alike) => [alike, letter] as const)),
);

/**
 * The first code point of each alphabet that NFKD does not turn into plain letters, such as squared and circled
 * letters.
 */
const LETTER_BLOCKS = [0x1f130, 0x1f150, 0x1f170, 0x1f1e6];
const CODE_POINT_OF_A = 'a'.codePointAt(0)!;

function plainLetter(character: string): string {
  const code = character.codePointAt(0)!;
  const start = LETTER_BLOCKS.find((first) => code >= first && code < first + 26);
  return start === undefined
    ? (LETTER_OF.get(character) ?? character)
    : String.fromCodePoint(CODE_POINT_OF_A + code - start);
}

/** Words that may precede the shop's name, as in "The Forgeline Team". */
const PREFIX = /^\s*(?:(?:the|your|official|team)\s+)+/;

const SHOP_LETTERS = SHOP_NAME.toLowerCase().replaceAll('i', 'l');

/**
 * Checks whether the name begins like the shop's. Ignores case, accents, spaces and punctuation, and treats similar
 * letters, such as `i` and `l`, as equal.
 */
export function looksLikeShop(name: string): boolean {
  let matched = 0;
  for (const character of name.normalize('NFKD').toLowerCase().replace(PREFIX, '')) {
    const letter = plainLetter(character);
    if (!/[\p{L}\p{N}]/u.test(letter)) continue;
    if ((letter === 'i' ? 'l' : letter) !== SHOP_LETTERS[matched]) return false;
    if (++matched === SHOP_LETTERS.length) return true;
  }
  return false;
}
