const LETTER = /[\p{L}\p{N}]/u;
const INITIALS = /^[\p{L}\p{N}]{1,4}$/u;
const FALLBACK_IMAGE = '/images/placeholder.svg';

const firstLetter = (word: string) => [...word].find((character) => LETTER.test(character)) ?? '';

/** @returns the first letters of the first and the last word of a name */
export function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter((word) => LETTER.test(word));
  const [first = '', last = ''] = [words[0], words.length > 1 ? words.at(-1) : ''];
  return (firstLetter(first) + firstLetter(last)).toUpperCase();
}

export const isInitials = (text: string) => INITIALS.test(text);

/** @returns the path of a picture that shows the initials of this name, or of a placeholder if it has no letters */
export function initialsPath(name: string): string {
  const initials = initialsOf(name);
  return initials ? `/initials/${encodeURIComponent(initials)}.svg` : FALLBACK_IMAGE;
}
