import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const ROOT = join(__dirname, '../..');
const clauses = (...args: string[]) =>
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

test('every clause has a test, every test that is named is there, and the page is up to date', () => {
  const { status, stderr } = clauses('--check');
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
});

test('a clause without a test, a test that is not there or skipped, and an old page are found', () => {
  const held = ['server/a › group › it is so', 'pages/b › each %s', 'browser/c › plain'];
  const wrong = ['server/a › it is so', 'pages/b › skipped', 'browser/none › plain'];
  write({
    '__tests__/server/a.test.ts': "describe('group', () => { it('it is so', () => {}); });",
    '__tests__/pages/b.test.tsx': "test.each([1])('each %s', () => {}); test.skip('skipped', () => <p>x</p>);",
    '__tests__/browser/c.test.ts': 'test(`plain`, () => {}); // it is no test("of words")',
    '__tests__/clauses/A.json': JSON.stringify({ title: 'a', clauses: { 'It is held.': held, 'Nobody looks.': [] } }),
    '__tests__/clauses/B.json': JSON.stringify({ title: 'b', clauses: { 'It is not.': wrong } }),
    'docs/SPEC-COVERAGE.md': 'of long ago\n',
  });
  const { status, stderr } = clauses(folder, '--check');
  expect(stderr.trim().split('\n')).toEqual([
    'A: no test holds “Nobody looks.”',
    ...wrong.map((name) => `B: there is no test “${name}” (“It is not.”)`),
    'docs/SPEC-COVERAGE.md is out of date: npm run clauses',
  ]);
  expect(status).toBe(1);
});
