import type { Tool } from '../../contract/entities';
import { createToolMatcher, splitIntoWords } from '../../contract/searchText';

/** What visitors from other countries or trades call a tool, and the name that our tools have. */
const OTHER_NAMES: Record<string, string> = {
  spanner: 'wrench',
  spanners: 'wrench',
  allen: 'hex',
  mallet: 'hammer',
  ruler: 'measure',
  tongs: 'pliers',
  nippers: 'pliers',
  cramp: 'clamp',
  electric: 'power',
  corded: 'power',
};

/** A shorter word is similar to too many others. */
const MIN_WORD_LENGTH = 4;
/** A word of at least this length may have two typos, a shorter one only one. */
const LONG_WORD_LENGTH = 7;

/**
 * The smallest number of typos that turns one word into the other (the restricted Damerau–Levenshtein distance). A typo
 * adds, leaves out or replaces a letter, or swaps two adjacent letters.
 */
function typosBetween(typed: string, word: string): number {
  const rows = [Array.from({ length: word.length + 1 }, (_, i) => i)];
  for (let i = 1; i <= typed.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= word.length; j += 1) {
      const isSame = typed[i - 1] === word[j - 1];
      const isSwapped = i > 1 && j > 1 && typed[i - 1] === word[j - 2] && typed[i - 2] === word[j - 1];
      row[j] = Math.min(
        rows[i - 1]![j]! + 1,
        row[j - 1]! + 1,
        rows[i - 1]![j - 1]! + (isSame ? 0 : 1),
        isSwapped ? rows[i - 2]![j - 2]! + 1 : Infinity,
      );
    }
    rows.push(row);
  }
  return rows.at(-1)!.at(-1)!;
}

function nearestWord(typed: string, words: Iterable<string>): string | undefined {
  if (typed.length < MIN_WORD_LENGTH) return undefined;
  let fewestTypos = typed.length < LONG_WORD_LENGTH ? 1 : 2;
  let nearest: string | undefined;
  for (const word of words) {
    if (Math.abs(word.length - typed.length) > fewestTypos || word.length < MIN_WORD_LENGTH) continue;
    const typos = typosBetween(typed, word);
    if (typos > fewestTypos || (typos === fewestTypos && nearest)) continue;
    [fewestTypos, nearest] = [typos, word];
  }
  return nearest;
}

/**
 * For a search that finds nothing.
 * @returns the search with misspelled words and other names of tools replaced, or undefined if that finds nothing
 *   either
 */
export function suggestSearch(tools: readonly Tool[], typed: string): string | undefined {
  const known = new Set(tools.flatMap(({ name }) => splitIntoWords(name)));
  const words = splitIntoWords(typed).map((word) => {
    if (tools.some(createToolMatcher(word))) return word;
    return OTHER_NAMES[word] ?? nearestWord(word, known);
  });
  if (words.length === 0 || words.includes(undefined)) return undefined;
  const suggestion = words.join(' ');
  return tools.some(createToolMatcher(suggestion)) ? suggestion : undefined;
}
