import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');
const CODE = /\.(ts|tsx|js|mjs|json)$/;

/** What an import without an extension can name on a file system that ignores case, as on macOS and Windows. */
const importName = (path: string) => path.replace(CODE, '').toLowerCase();

/** @returns groups of files that one import could name */
function ambiguous(paths: string[]): string[][] {
  const groups = new Map<string, string[]>();
  for (const path of paths.filter((each) => CODE.test(each)))
    groups.set(importName(path), [...(groups.get(importName(path)) ?? []), path]);
  return [...groups.values()].filter((group) => group.length > 1);
}

test('paths that differ only in case or extension are found', () => {
  const paths = ['src/app/toastBox.ts', 'src/app/ToastBox.tsx', 'src/ui/toastBox.ts', 'public/a.avif', 'public/a.webp'];
  expect(ambiguous(paths)).toEqual([['src/app/toastBox.ts', 'src/app/ToastBox.tsx']]);
});

test('no two files of code differ only in case or extension', () => {
  const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  expect(ambiguous(tracked.split('\n'))).toEqual([]);
});
