const LETTER = /[\p{L}\p{N}]/u;
const INITIALS = /^[\p{L}\p{N}]{1,4}$/u;
const FALLBACK_IMAGE = '/images/placeholder.svg';

/** @returns the first letters of the first and the last word of a name */
export function initialsOf(name: string): string {
  const letters = name.split(/\s/).flatMap((word) => LETTER.exec(word) ?? []);
  return letters
    .filter((_letter, i) => i === 0 || i === letters.length - 1)
    .join('')
    .toUpperCase();
}

export const isInitials = (text: string) => INITIALS.test(text);

/** @returns the path of a picture that shows the initials of this name, or of a placeholder if it has no letters */
export function initialsPath(name: string): string {
  const initials = initialsOf(name);
  return initials ? `/initials/${encodeURIComponent(initials)}.svg` : FALLBACK_IMAGE;
}
