import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Manifest {
  groups: Record<string, string[]>;
  all: string[];
}
type Check = (manifest: Manifest, sizeOf: (file: string) => number) => string[];

const built = JSON.parse(readFileSync(join(__dirname, '../../dist/client/manifest.json'), 'utf8')) as Manifest;
const withinAll = () => 1000;
let findBudgetViolations: Check;
beforeAll(async () => {
  const program = join(__dirname, '../../scripts/budget.mjs');
  ({ findBudgetViolations } = (await import(program)) as { findBudgetViolations: Check });
});

test('a build within its budgets is not complained of', () => {
  expect(findBudgetViolations(built, withinAll)).toEqual([]);
});

test.each([
  ['main', 120_001, 'JavaScript before the home page is interactive: '],
  ['footer', 42_001, 'JavaScript that the home page fetches when idle: '],
  ['barlow', 25_001, 'Fonts: '],
])('a heavy %s breaks a budget, and the build with it', (name, bytes, sentence) => {
  const broken = findBudgetViolations(built, (file) => (file.startsWith(name) ? bytes : 0));
  expect(broken).toEqual([`${sentence}${bytes} bytes, but the limit is ${bytes - 1}.`]);
});

test('a vendor that comes along with the home page breaks the budget', () => {
  const home = [...built.groups['home']!, ...built.groups['firebase']!];
  const [first] = findBudgetViolations({ ...built, groups: { ...built.groups, home } }, withinAll);
  expect(first).toMatch(/is loaded before it is needed\.$/);
});
