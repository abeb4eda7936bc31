/** Replaces the vendor prefix table of styled-components, which is not used. */
export const prefix = (value: string) => value;
