const EMAIL = /^[^\s@]+@[^\s@]+$/;
const LINK = /^(?:https?:\/)?\/\S*$/;
/** Matches phone numbers, card numbers, quantities and numeric ids. */
const DIGITS = /^[\d\s+().-]*$/;
const PERSON_KEYS = new Set(['name', 'displayName', 'client', 'email']);

const lengthen = (text: string, length: number, end = '') =>
  text + 'x'.repeat(Math.max(0, length - text.length - end.length)) + end;

/** Replaces the digits by those of `count`, with leading zeros. Keeps spaces and signs. */
function digitsLike(text: string, count: number): string {
  const digits = text.replace(/\D/g, '').length;
  const number = String(count).padStart(digits, '0');
  if (number.length > digits) return number;
  let position = 0;
  return text.replace(/\d/g, () => number[position++]!);
}

function placeholderFor(text: string, key: string, count: number): string {
  const { length } = text;
  if (text === '') return '';
  if (EMAIL.test(text)) return lengthen(`person-${count}`, length, '@example.invalid');
  if (DIGITS.test(text)) return digitsLike(text, count);
  if (LINK.test(text)) return lengthen(`https://example.invalid/${count}`, length);
  return lengthen(`${PERSON_KEYS.has(key) ? 'person' : 'text'}-${count}`, length);
}

/** Equal texts get equal placeholders, because reducers and pages compare them, for example ids in a list. */
export function createPlaceholders() {
  const byText = new Map<string, string>();
  return (text: string, key = ''): string => {
    const known = byText.get(text);
    if (known !== undefined) return known;
    const placeholder = placeholderFor(text, key, byText.size + 1);
    byText.set(text, placeholder);
    return placeholder;
  };
}
