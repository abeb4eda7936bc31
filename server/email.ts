import { TEXT } from '../src/contract/limits';

const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}]/u;
const ADDRESS = /^[^@\s]+@[^@\s]+$/;

/** The one form in which an address is kept and compared; undefined when it is none. Dots and +tags stay: they tell people apart. */
export function normaliseEmail(typed: string): string | undefined {
  const email = typed.trim().normalize('NFC').toLowerCase().normalize('NFC');
  return email.length <= TEXT.email && ADDRESS.test(email) && !INVISIBLE.test(email) ? email : undefined;
}
