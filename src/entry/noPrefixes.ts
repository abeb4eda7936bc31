/** In place of the table of vendors' prefixes that styled-components brings and does not use. */
export const prefix = (value: string) => value;
