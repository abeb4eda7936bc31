import { mkdirSync, mkdtempSync, readFileSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { transformSync, type Options } from '@swc/core';

const ROOT = join(__dirname, '../..');
const OPTIONS: Options = {
  jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
  module: { type: 'commonjs' },
  swcrc: false,
};

function compile(path: string, into: string): void {
  const source = join(ROOT, path);
  if (statSync(source).isDirectory()) {
    for (const name of readdirSync(source)) compile(join(path, name), into);
    return;
  }
  if (!path.endsWith('.ts')) return;
  const target = join(into, path.replace(/\.ts$/, '.js'));
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, transformSync(readFileSync(source, 'utf8'), { ...OPTIONS, filename: source }).code);
}

/** A program of ours that plain Node runs, made once: processes that start often need no compiler of their own. */
export function compiled(program: string, ...needs: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'compiled-test-'));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  for (const path of [program, ...needs]) compile(path, folder);
  const copy = join(folder, basename(program).replace(/\.ts$/, '.js'));
  writeFileSync(copy, `require('./${program.replace(/\.ts$/, '')}');\n`);
  return copy;
}
