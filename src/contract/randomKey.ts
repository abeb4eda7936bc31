/**
 * Creates a unique key. Does not use `crypto.randomUUID`, because browsers offer it only on https pages and on
 * localhost.
 */
export const randomKey = () =>
  [...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(36)).join('-');
