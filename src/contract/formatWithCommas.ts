/** Formats a whole number for our own sentences: 1,800. */
export const formatWithCommas = (n: number) => n.toLocaleString('en-US');
