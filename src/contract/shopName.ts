/** The shop's name. Only admins may be called like it. */
export const SHOP_NAME = 'Forgeline';

/**
 * Characters that look like the letters of the shop's name and that NFKD leaves as they are, in lower case: letters of
 * other scripts, small capitals, and digits and signs that are read as letters.
 */
const LOOK_ALIKES: Record<string, string> = {
  f: 'ƒꜰϝғꓝ',
  o: '0οоօøᴏⲟꓳ',
  r: 'гʀᴦɍꭱꓣ',
  g: '69qɡɢցǥɠꮐꓖ',
  e: '3еєэεɇᴇ€ɛəꭼꓰ',
  l: '1|!¡ιіıɪӏłƚɨʟᴌⲓןاꮮꓡꓲ',
  n: 'νпոռηɴᴎɲŋꓠ',
};
const LETTER_OF = new Map(
  Object.entries(LOOK_ALIKES).flatMap(([letter, alikes]) => [...alikes].map((alike) => [alike, letter] as const)),
);

/** The first of 26 letters in blocks that NFKD does not decompose: squared, circled, inverted and as flags. */
const LETTER_BLOCKS = [0x1f130, 0x1f150, 0x1f170, 0x1f1e6];
const A = 'a'.codePointAt(0)!;

function plainLetter(character: string): string {
  const code = character.codePointAt(0)!;
  const start = LETTER_BLOCKS.find((first) => code >= first && code < first + 26);
  return start === undefined ? (LETTER_OF.get(character) ?? character) : String.fromCodePoint(A + code - start);
}

/** Words that a name may have before the shop's own, as in "The Forgeline Team". */
const PREFIX = /^\s*(?:(?:the|your|official|team)\s+)+/;

const SHOP = SHOP_NAME.toLowerCase().replaceAll('i', 'l');

/**
 * Compares without case, accents, spaces and punctuation, with look-alike letters made one. `i` and `l` are one too.
 * Most names differ in their first letter.
 */
export function looksLikeShop(name: string): boolean {
  let matched = 0;
  for (const character of name.normalize('NFKD').toLowerCase().replace(PREFIX, '')) {
    const letter = plainLetter(character);
    if (!/[\p{L}\p{N}]/u.test(letter)) continue;
    if ((letter === 'i' ? 'l' : letter) !== SHOP[matched]) return false;
    if (++matched === SHOP.length) return true;
  }
  return false;
}
