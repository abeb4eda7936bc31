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
  ['ember', ['surface', 'paper', 'emberSoft']],
  ['nightEmber', ['night']],
  ['nightMuted', ['night']],
  ['good', ['surface', 'paper']],
  ['bad', ['surface', 'paper']],
] as const;

test.each([
  ['light', light],
  ['dark', dark],
])('fields, focus rings and states have a contrast of at least 3:1 in the %s theme', (_name, palette) => {
  const weak = MARKS.flatMap(([mark, surfaces]) =>
    surfaces
      .filter((surface) => contrast(palette[mark], palette[surface]) < 3)
      .map((surface) => `${mark} on ${surface}`),
  );
  expect(weak).toEqual([]);
  expect(contrast(light.paper, light.surface)).toBeLessThan(3);
});
