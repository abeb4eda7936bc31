import { randomInt } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

export function randomText(length: number): string {
  return Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}

/** Creates an id like Stripe's: a prefix for the kind of object, and random characters. */
export function newId(prefix: 'pi' | 'pm' | 'ch' | 're' | 'du' | 'evt'): string {
  return `${prefix}_${randomText(24)}`;
}

export const unixSeconds = (moment: Date) => Math.floor(moment.getTime() / 1000);
