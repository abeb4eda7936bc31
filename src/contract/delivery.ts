import { MIN_PHONE_DIGITS } from './limits';

/** Country codes, spaces, brackets and extensions are the customer's choice. */
export const isPhoneLongEnough = (phone: string) => phone.replaceAll(/\D/g, '').length >= MIN_PHONE_DIGITS;

const MIN_ADDRESS_PARTS = 3;

/** A guess, because addresses differ between countries. So it may only warn. */
export function isAddressComplete(address: string): boolean {
  const parts = address.split(/[\n,،，、]/).filter((part) => part.trim() !== '');
  return parts.length >= MIN_ADDRESS_PARTS && /\p{Nd}/u.test(address);
}
