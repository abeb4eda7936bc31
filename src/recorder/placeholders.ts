import { orderNumber } from '../contract/orderNumber';

const EMAIL = /^[^\s@]+@[^\s@]+$/;
const LINK = /^(?:https?:\/)?\/\S*$/;
/** Matches phone numbers, card numbers, quantities, and ids that consist of digits. */
const DIGITS = /^[\d\s+().-]*$/;
const PERSON_KEYS = new Set(['name', 'displayName', 'client', 'email']);
/** Each word of these fields counts as replaced, because pages may show a single word, such as a first name. */
const WORD_BY_WORD_KEYS = new Set([...PERSON_KEYS, ...['productName', 'address', 'phone', 'linkedIn', 'education']]);
const WORD = /[\p{L}\p{N}]{2,}/gu;
const wordsOf = (text: string) => text.toLowerCase().match(WORD) ?? [];

const padToLength = (text: string, length: number, end = '') =>
  text + 'x'.repeat(Math.max(0, length - text.length - end.length)) + end;

/** Replaces a text's digits with those of `count`, with leading zeros. Spaces and signs stay. */
function replaceDigits(text: string, count: number): string {
  const digits = text.replace(/\D/g, '').length;
  const number = String(count).padStart(digits, '0');
  if (number.length > digits) return number;
  let position = 0;
  return text.replace(/\d/g, () => number[position++]!);
}

function placeholderFor(text: string, key: string, count: number): string {
  const { length } = text;
  if (text === '') return '';
  if (EMAIL.test(text)) return padToLength(`person-${count}`, length, '@example.invalid');
  if (DIGITS.test(text)) return replaceDigits(text, count);
  if (LINK.test(text)) return padToLength(`https://example.invalid/${count}`, length);
  return padToLength(`${PERSON_KEYS.has(key) ? 'person' : 'text'}-${count}`, length);
}

/**
 * Equal texts get equal placeholders, because reducers and pages compare texts, for example to find an id in a list.
 */
export function createPlaceholders() {
  const byText = new Map<string, string>();
  const replacedWords = new Set<string>();
  const orderNumbers = new Set<string>();

  function placeholder(text: string, key = ''): string {
    if (WORD_BY_WORD_KEYS.has(key)) for (const word of wordsOf(text)) replacedWords.add(word);
    const known = byText.get(text);
    if (known !== undefined) return known;
    const created = placeholderFor(text, key, byText.size + 1);
    byText.set(text, created);
    orderNumbers.add(orderNumber(text));
    return created;
  }
  /** @returns whether a text on a page contains something that was replaced. Then a replay shows a different text. */
  const containsReplaced = (text: string): boolean =>
    byText.has(text) ||
    text.split(/[\s“”]+/).some((part) => part.length > 2 && (byText.has(part) || orderNumbers.has(part))) ||
    wordsOf(text).some((word) => replacedWords.has(word));
  return { placeholder, containsReplaced };
}
