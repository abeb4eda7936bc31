import { dark, light } from '../../src/ui/theme';

/** WCAG's formula for relative luminance: https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
function luminance(color: string): number {
  const channels = [1, 3, 5].map((start) => parseInt(color.slice(start, start + 2), 16) / 255);
  const [red, green, blue] = channels.map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}
function contrast(one: string, other: string): number {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high! + 0.05) / (low! + 0.05);
}

/** Colors of borders, rings and marks, with the surfaces that they are drawn on. */
const MARKS = [
  ['edge', ['surface', 'paper']],
  ['ember', ['surface', 'paper']],
  ['nightEmber', ['night']],
  ['nightMuted', ['night']],
  ['good', ['surface', 'paper']],
  ['bad', ['surface', 'paper']],
] as const;

const TEXTS = [
  ['ink', ['surface', 'paper', 'line', 'amberSoft']],
  ['muted', ['surface', 'paper']],
  ['amber', ['surface', 'paper', 'amberSoft']],
  ['ember', ['surface', 'paper']],
  ['onEmber', ['ember', 'emberDeep']],
  ['good', ['surface', 'paper']],
  ['bad', ['surface', 'paper']],
  ['nightMuted', ['night']],
] as const;

type Pairs = readonly (readonly [keyof typeof light, readonly (keyof typeof light)[]])[];

const findWeakPairs = (palette: typeof light, pairs: Pairs, minimum: number) =>
  pairs.flatMap(([one, others]) =>
    others.filter((other) => contrast(palette[one], palette[other]) < minimum).map((other) => `${one} on ${other}`),
  );

test.each([
  ['light', light],
  ['dark', dark],
])('fields, marks and states have a contrast of 3:1 and texts of 4.5:1 in the %s theme', (_name, palette) => {
  expect(findWeakPairs(palette, MARKS, 3)).toEqual([]);
  expect(findWeakPairs(palette, TEXTS, 4.5)).toEqual([]);
  expect(contrast(light.paper, light.surface)).toBeLessThan(3);
});
