/** Joins the lines of an address with commas. */
export const addressInOneLine = (address: string) =>
  address
    .split('\n')
    .map((line) => line.trim().replace(/,$/, ''))
    .filter(Boolean)
    .join(', ');
