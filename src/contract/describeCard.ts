import type { PaidCard } from './entities';

const BRAND_NAMES: Record<string, string> = {
  amex: 'American Express',
  diners: 'Diners Club',
  discover: 'Discover',
  jcb: 'JCB',
  mastercard: 'Mastercard',
  unionpay: 'UnionPay',
  visa: 'Visa',
};

/** @returns for example "Visa ending in 4242" */
export const describeCard = ({ brand, last4 }: PaidCard) => `${BRAND_NAMES[brand] ?? 'Card'} ending in ${last4}`;
