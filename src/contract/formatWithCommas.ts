/** Formats 1800 as "1,800". */
export const formatWithCommas = (n: number) => n.toLocaleString('en-US');
