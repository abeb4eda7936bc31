import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(__dirname, '../../..');

const SLOW_EXPRESSIONS = [
  ['server/x.ts', "export const trimmed = (path: string) => path.replace(/\\/+$/, '');", 'no-super-linear-move'],
  ['src/ui/x.ts', 'export const isList = (text: string) => /^(a+,?)+$/.test(text);', 'no-super-linear-backtracking'],
] as const;

test('the linter refuses regular expressions that take more than linear time', () => {
  const { stdout } = spawnSync(process.execPath, [join(ROOT, '__tests__/tooling/lintSources.mjs')], {
    cwd: ROOT,
    input: JSON.stringify(SLOW_EXPRESSIONS.map(([file, code]) => ({ file: join(ROOT, file), code }))),
    encoding: 'utf8',
  });
  expect(JSON.parse(stdout)).toEqual(SLOW_EXPRESSIONS.map(([, , rule]) => [`regexp/${rule}`]));
});
