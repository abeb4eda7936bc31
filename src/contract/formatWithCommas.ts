/** Formats 1800 as "1,800". */
export const formatWithCommas = (n: number) => n.toLocaleString('en-US');

/** Formats 1800 as "$1,800". Only the specification's own sentences have a space after the dollar sign. */
export const formatDollars = (amount: number) => `$${formatWithCommas(amount)}`;
