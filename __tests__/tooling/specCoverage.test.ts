import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const ROOT = join(__dirname, '../..');
const runClauses = (...args: string[]) =>
  spawnSync(process.execPath, ['scripts/clauses.mjs', ...args], { cwd: ROOT, encoding: 'utf8' });

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'clauses-'))));
afterEach(() => rmSync(folder, { recursive: true }));

function write(files: Record<string, string>) {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

test('every clause of the specification has a test, tests name only clauses that exist, and the generated documents are up to date', () => {
  const { status, stderr } = runClauses('--check');
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
});

const CRITERION = { name: 'Name', level: 'A', result: 'supported', how: 'How.' };

test('control: clauses and WCAG criteria without a test, unknown clauses and tests, and outdated documents are reported', () => {
  write({
    '__tests__/server/orders/a.test.ts':
      "// Clause A.1\ndescribe('group', () => {\n  // Clauses A.2, A.3\n  it('works', () => {});\n});",
    '__tests__/pages/b.test.tsx':
      "// Clause A.4\ntest.each([1])('each %s', () => {});\n// Clause A.5\ntest.skip('skipped', () => <p>x</p>);",
    '__tests__/browser/c.test.ts': '/** Says why. */\n// Clauses A.6, A.7\ntest(`plain`, () => {}); // Clause A.8',
    '__tests__/clauses/A.json': JSON.stringify({
      title: 'a',
      clauses: Object.fromEntries([1, 2, 3, 4, 5, 6, 8].map((n) => [`A.${n}`, `Sentence ${n}.`])),
    }),
    'docs/SPEC-COVERAGE.md': 'of long ago\n',
    '__tests__/wcag/1.1.json': JSON.stringify({
      title: 'a',
      criteria: {
        '1.1.1': { ...CRITERION, tests: ['browser/c: plain', 'browser/c: renamed'] },
        '1.1.2': CRITERION,
        '1.1.3': { ...CRITERION, tests: ['group'] },
      },
    }),
    '__tests__/wcag/testGroups.json': JSON.stringify({ group: { title: 'Group', tests: ['pages/b: renamed'] } }),
    '__tests__/wcag/openacrHead.json': '{}',
  });
  const { status, stderr } = runClauses(folder, '--check');
  expect(stderr.trim().split('\n')).toEqual([
    'A.1 has no test: “Sentence 1.”',
    'A.5 has no test: “Sentence 5.”',
    'A.8 has no test: “Sentence 8.”',
    'browser/c “plain” names the clause A.7, which does not exist',
    'WCAG 1.1.2 has no test',
    'WCAG 1.1.1 names the test “browser/c: renamed”, which does not exist',
    'The group “group” names the test “pages/b: renamed”, which does not exist',
    'docs/SPEC-COVERAGE.md is out of date: run npm run clauses',
    'docs/ACCESSIBILITY.md is out of date: run npm run clauses',
    'docs/openacr.yaml is out of date: run npm run clauses',
  ]);
  expect(status).toBe(1);
});
