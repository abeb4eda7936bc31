/** Generates the same numbers for the same seed, so that a run can be repeated. */
export function createRandom(seed) {
  let state = [...String(seed)].reduce((hash, char) => Math.imul(hash ^ char.codePointAt(0), 16777619), 2166136261);
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const integer = (min, max) => min + Math.floor(next() * (max - min + 1));
  return { next, integer, pick: (list) => list[Math.floor(next() * list.length)], chance: (p) => next() < p };
}
