import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { dark, light } from '../../src/ui/theme';

const ROOT = join(__dirname, '../..');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

interface Criterion {
  level: 'A' | 'AA' | 'AAA';
  result: 'supported' | 'not applicable' | 'not claimed';
  how: string;
  tests?: string[];
}

const guidelines = readdirSync(join(ROOT, '__tests__/wcag')).filter((name) => /^\d/.test(name));
const criteria = guidelines.flatMap((name) =>
  Object.entries((JSON.parse(read(`__tests__/wcag/${name}`)) as { criteria: Record<string, Criterion> }).criteria),
);
const ofLevel = (...levels: string[]) => criteria.filter(([, { level }]) => levels.includes(level));

test('all 55 WCAG criteria of levels A and AA and at least 20 of level AAA are listed as supported or not applicable', () => {
  expect([ofLevel('A').length, ofLevel('AA').length, ofLevel('AAA').length]).toEqual([31, 24, 31]);
  expect(new Set(criteria.map(([id]) => id)).size).toBe(86);
  const isClaimed = ([, { result }]: [string, Criterion]) => ['supported', 'not applicable'].includes(result);
  expect(ofLevel('A', 'AA').filter((entry) => !isClaimed(entry))).toEqual([]);
  expect(ofLevel('AAA').filter(isClaimed).length).toBeGreaterThanOrEqual(20);
  expect(criteria.filter(([, { how }]) => !/^[A-Z0-9].+\.$/.test(how))).toEqual([]);
});

interface Report {
  author: { email: string };
  product: { name: string };
  catalog: string;
  chapters: Record<string, { criteria: { num: string; components: { name: string; adherence: object }[] }[] }>;
}

test('openacr.yaml has the fields that OpenACR 0.1.0 requires, and lists every criterion in the chapter for its level', () => {
  const report = parse(read('docs/openacr.yaml')) as Report;
  expect(report).toMatchObject({
    title: 'Forgeline Accessibility Conformance Report',
    product: { name: 'Forgeline', version: (JSON.parse(read('package.json')) as { version: string }).version },
    author: { email: expect.stringContaining('@') as string },
    version: expect.any(Number) as number,
    catalog: '2.5-edition-wcag-2.2-en',
  });
  const chapters = { a: 'A', aa: 'AA', aaa: 'AAA' };
  expect(Object.keys(report.chapters)).toEqual(Object.keys(chapters).map((name) => `success_criteria_level_${name}`));
  for (const [name, level] of Object.entries(chapters)) {
    const { criteria: rows } = report.chapters[`success_criteria_level_${name}`]!;
    expect(rows.map(({ num }) => num).sort()).toEqual(
      ofLevel(level)
        .map(([id]) => id)
        .sort(),
    );
    for (const { components } of rows)
      expect(components).toEqual([
        {
          name: 'web',
          adherence: {
            level: expect.stringMatching(/^(supports|not-applicable|not-evaluated)$/) as string,
            notes: expect.stringMatching(/\.$/) as string,
          },
        },
      ]);
  }
});

const PRESS_OR_MEDIA =
  /<(audio|video|canvas|object|embed)\b|new Audio\b|device(motion|orientation)|\bon(Mouse|Pointer)Down\b|\bonTouchStart\b|accessKey/;

test('no page has sound or video, uses motion sensors, or acts when a button is pressed but not yet released', () => {
  const files = (readdirSync(join(ROOT, 'src'), { recursive: true }) as string[]).filter((name) =>
    /\.tsx?$/.test(name),
  );
  expect(files.length).toBeGreaterThan(100);
  expect(files.filter((name) => PRESS_OR_MEDIA.test(read(join('src', name))))).toEqual([]);
  expect(PRESS_OR_MEDIA.test('<video src="x" />')).toBe(true);
});

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
