import { CENTS_PER_DOLLAR } from './limits';

/** Formats 1800 as "1,800". */
export const formatWithCommas = (n: number) => n.toLocaleString('en-US');

/** Formats 1800 as "$1,800". Only the specification's own sentences have a space after the dollar sign. */
export const formatDollars = (amount: number) => `$${formatWithCommas(amount)}`;

/** Formats 550 as "$5.50" and 1400 as "$14". */
export const formatCents = (cents: number) => {
  const rest = cents % CENTS_PER_DOLLAR;
  const whole = formatDollars((cents - rest) / CENTS_PER_DOLLAR);
  return rest === 0 ? whole : `${whole}.${String(rest).padStart(2, '0')}`;
};
