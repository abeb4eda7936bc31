import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');
const architectureText = readFileSync(join(ROOT, 'docs/ARCHITECTURE.md'), 'utf8');

/** The heading of each flow in ARCHITECTURE.md, and how many files the flow may span. */
const FLOWS = [
  ['Placing an order', 20],
  ['Paying by card', 18],
  ['Signing in', 12],
] as const;

function filesOf(heading: string): string[] {
  const section = architectureText.split(`## ${heading}\n`)[1]!.split('\n## ')[0]!;
  return [...section.matchAll(/^\d+\. `([^`]+)`/gm)].map(([, file]) => file!);
}

test.each(FLOWS)('the flow “%s” in ARCHITECTURE.md names at most %d files, all of which exist', (heading, maxFiles) => {
  const files = filesOf(heading);
  expect(files.length).toBeGreaterThan(maxFiles / 2);
  expect(files.length).toBeLessThanOrEqual(maxFiles);
  expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
});

test('the server folder has at most eight files outside its subfolders', () => {
  const files = readdirSync(join(ROOT, 'server'), { withFileTypes: true }).filter((entry) => entry.isFile());
  expect(files.length).toBeLessThanOrEqual(8);
});
