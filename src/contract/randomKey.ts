/** Nobody has had it before. Also where a page is not on https, which has no `randomUUID`. */
export const newKey = () => [...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(36)).join('-');
