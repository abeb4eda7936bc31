/**
 * The build replaces styled-components' table of vendor prefixes with this file, because the supported browsers need no
 * prefixes.
 */
export const prefix = (value: string) => value;
