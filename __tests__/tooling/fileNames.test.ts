import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');
const CODE_EXTENSION = /\.(ts|tsx|js|mjs|json)$/;

/**
 * @returns the path as an import names it, without extension, and in lower case, because macOS and Windows ignore case
 */
const importName = (path: string) => path.replace(CODE_EXTENSION, '').toLowerCase();

/** @returns groups of files that the same import path could mean */
function findAmbiguousPaths(paths: string[]): string[][] {
  const groups = new Map<string, string[]>();
  for (const path of paths.filter((file) => CODE_EXTENSION.test(file)))
    groups.set(importName(path), [...(groups.get(importName(path)) ?? []), path]);
  return [...groups.values()].filter((group) => group.length > 1);
}

test('control: paths that differ only in case or extension are found', () => {
  const paths = ['src/app/toastBox.ts', 'src/app/ToastBox.tsx', 'src/ui/toastBox.ts', 'public/a.avif', 'public/a.webp'];
  expect(findAmbiguousPaths(paths)).toEqual([['src/app/toastBox.ts', 'src/app/ToastBox.tsx']]);
});

test('no two source files differ only in case or extension', () => {
  const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  expect(findAmbiguousPaths(tracked.split('\n'))).toEqual([]);
});
