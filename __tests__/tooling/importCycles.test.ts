import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';

const ROOT = join(__dirname, '../..');
const SOURCES = execFileSync('git', ['ls-files', 'src', 'server', 'embedded'], { cwd: ROOT, encoding: 'utf8' })
  .split('\n')
  .filter((file) => /\.tsx?$/.test(file) && existsSync(join(ROOT, file)));
const ENDINGS = ['', '.ts', '.tsx', '/index.ts'];

type Graph = Map<string, string[]>;

/** Imports of values and of types. The linter overlooks cycles of types. A dynamic import starts another chunk. */
function graphOf(texts: Map<string, string>): Graph {
  const resolve = (from: string, path: string) =>
    ENDINGS.map((ending) => posix.join(dirname(from), path) + ending).find((file) => texts.has(file));
  const importsOf = (file: string, text: string) =>
    [...text.matchAll(/from '(\.[^']*)'/g)].flatMap(([, path]) => resolve(file, path!) ?? []);
  return new Map([...texts].map(([file, text]) => [file, importsOf(file, text)]));
}

/** @returns the first cycle found, as a path that ends where it begins */
function cycleIn(graph: Graph): string[] {
  const done = new Set<string>();
  function visit(file: string, path: string[]): string[] {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (done.has(file)) return [];
    const found = graph.get(file)!.map((next) => visit(next, [...path, file]));
    done.add(file);
    return found.find((cycle) => cycle.length > 0) ?? [];
  }
  for (const file of graph.keys()) {
    const cycle = visit(file, []);
    if (cycle.length > 0) return cycle;
  }
  return [];
}

test('no file imports itself by way of others, types included', () => {
  expect(SOURCES.length).toBeGreaterThan(300);
  expect(cycleIn(graphOf(new Map(SOURCES.map((file) => [file, readFileSync(join(ROOT, file), 'utf8')]))))).toEqual([]);
});

test('control: a cycle of types over three files is found', () => {
  const texts = new Map([
    ['server/a.ts', "import { b } from './b/b';"],
    ['server/b/b.ts', "import type { C } from '../c';"],
    ['server/c.ts', "export type { A } from './a';"],
  ]);
  expect(cycleIn(graphOf(texts))).toEqual(['server/a.ts', 'server/b/b.ts', 'server/c.ts', 'server/a.ts']);
});
