const hashes = new WeakMap<WeakKey, number>();

const mix = (hash: number, value: number) => Math.imul(hash ^ value, 0x9e3779b1) ^ (hash >>> 15);

export function hashText(text: string): number {
  let hash = text.length;
  for (let index = 0; index < text.length; index++) hash = mix(hash, text.charCodeAt(index));
  return hash;
}

function hashObject(value: object): number {
  if (Array.isArray(value)) return value.reduce<number>((hash, item) => mix(hash, hashValue(item)), 17);
  // Adds the hashes of the fields, so that the order of the fields does not matter.
  return Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .reduce((sum, [key, field]) => (sum + mix(hashText(key), hashValue(field))) | 0, 19);
}

/** Caches the hash of each object, so that unchanged parts of the state are not hashed again. */
function hashValue(value: unknown): number {
  if (typeof value !== 'object' || value === null) return hashText(`${typeof value} ${String(value)}`);
  let hash = hashes.get(value);
  if (hash === undefined) hashes.set(value, (hash = hashObject(value)));
  return hash;
}

/** @returns the hash as eight hexadecimal digits */
export const hashState = (state: unknown): string => (hashValue(state) >>> 0).toString(16).padStart(8, '0');
