/** A whole number as our own sentences write it: 1,800. */
export const grouped = (n: number) => n.toLocaleString('en-US');
