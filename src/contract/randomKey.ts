/** Creates a unique key. `crypto.randomUUID` would be missing on pages without https. */
export const randomKey = () =>
  [...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(36)).join('-');
