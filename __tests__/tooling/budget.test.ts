import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Manifest {
  groups: Record<string, string[]>;
  all: string[];
}
type FindBudgetViolations = (manifest: Manifest, sizeOf: (file: string) => number) => string[];

const built = JSON.parse(readFileSync(join(__dirname, '../../dist/client/manifest.json'), 'utf8')) as Manifest;
const smallSize = () => 1000;
let findBudgetViolations: FindBudgetViolations;
beforeAll(async () => {
  const program = join(__dirname, '../../scripts/budget.mjs');
  ({ findBudgetViolations } = (await import(program)) as { findBudgetViolations: FindBudgetViolations });
});

test('a build whose files are within their size budgets passes', () => {
  expect(findBudgetViolations(built, smallSize)).toEqual([]);
});

test.each([
  ['main', 120_001, 'JavaScript before the home page is interactive: '],
  ['footer', 49_001, 'JavaScript that the home page fetches when idle: '],
  ['barlow-condensed', 45_001, 'Fonts: '],
])('a build with a %s file of %i bytes exceeds a budget', (name, bytes, label) => {
  const violations = findBudgetViolations(built, (file) => (file.startsWith(name) ? bytes : 0));
  expect(violations).toEqual([
    expect.stringContaining(
      `${label}${bytes} bytes, but the limit is ${bytes - 1}. Shorten one of these:\n  ${bytes}  ${name}`,
    ),
  ]);
});

test('a build whose home page loads a vendor chunk fails the budget check', () => {
  const home = [...built.groups['home']!, ...built.groups['firebase']!];
  const [first] = findBudgetViolations({ ...built, groups: { ...built.groups, home } }, smallSize);
  expect(first).toMatch(/is loaded before it is needed\.$/);
});
