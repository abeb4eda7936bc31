import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');
const page = readFileSync(join(ROOT, 'docs/ARCHITECTURE.md'), 'utf8');

/** The most files that a reader should have to open, by the heading of the list. */
const FLOWS = [
  ['Placing an order', 20],
  ['Paying by card', 18],
  ['Signing in', 12],
] as const;

function filesOf(heading: string): string[] {
  const section = page.split(`## ${heading}\n`)[1]!.split('\n## ')[0]!;
  return [...section.matchAll(/^\d+\. `([^`]+)`/gm)].map(([, file]) => file!);
}

test.each(FLOWS)('%s takes at most %d files', (heading, most) => {
  const files = filesOf(heading);
  expect(files.length).toBeGreaterThan(most / 2);
  expect(files.length).toBeLessThanOrEqual(most);
  expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
});

test('the root of the server has at most eight files', () => {
  const files = readdirSync(join(ROOT, 'server'), { withFileTypes: true }).filter((entry) => entry.isFile());
  expect(files.length).toBeLessThanOrEqual(8);
});
