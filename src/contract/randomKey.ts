/** Creates a unique key without `crypto.randomUUID`, which browsers offer only on pages with https. */
export const randomKey = () =>
  [...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(36)).join('-');
