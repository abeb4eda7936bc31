import { MIN_PHONE_DIGITS } from './limits';

/** Country codes, spaces, brackets and extensions are the customer's choice. */
export const isPhoneLongEnough = (phone: string) => phone.replaceAll(/\D/g, '').length >= MIN_PHONE_DIGITS;
