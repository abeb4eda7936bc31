/**
 * The build replaces styled-components' table of vendor prefixes by this file, because the supported browsers need
 * none.
 */
export const prefix = (value: string) => value;
