import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';

const ROOT = join(__dirname, '../..');
const SOURCES = execFileSync('git', ['ls-files', 'src', 'server', 'embedded'], { cwd: ROOT, encoding: 'utf8' })
  .split('\n')
  .filter((file) => /\.tsx?$/.test(file) && existsSync(join(ROOT, file)));
const SUFFIXES = ['', '.ts', '.tsx', '/index.ts'];

type Graph = Map<string, string[]>;

/** Builds the graph of value, type and dynamic imports. The linter overlooks the last two. */
function buildGraph(texts: Map<string, string>): Graph {
  const resolve = (from: string, path: string) =>
    SUFFIXES.map((suffix) => posix.join(dirname(from), path) + suffix).find((file) => texts.has(file));
  const importsOf = (file: string, text: string) =>
    [...text.matchAll(/(?:from |import\([^')]*)'(\.[^']*)'/g)].flatMap(([, path]) => resolve(file, path!) ?? []);
  return new Map([...texts].map(([file, text]) => [file, importsOf(file, text)]));
}

/** @returns the first cycle found, as a path that ends where it begins */
function findCycle(graph: Graph): string[] {
  const visited = new Set<string>();
  function visit(file: string, path: string[]): string[] {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (visited.has(file)) return [];
    const cycles = graph.get(file)!.map((next) => visit(next, [...path, file]));
    visited.add(file);
    return cycles.find((cycle) => cycle.length > 0) ?? [];
  }
  for (const file of graph.keys()) {
    const cycle = visit(file, []);
    if (cycle.length > 0) return cycle;
  }
  return [];
}

test('no file imports itself through other files, not even by type imports or dynamic imports', () => {
  expect(SOURCES.length).toBeGreaterThan(300);
  expect(findCycle(buildGraph(new Map(SOURCES.map((file) => [file, readFileSync(join(ROOT, file), 'utf8')]))))).toEqual(
    [],
  );
});

test('control: a cycle of type imports through three files is found', () => {
  const texts = new Map([
    ['server/a.ts', "import { b } from './b/b';"],
    ['server/b/b.ts', "import type { C } from '../c';"],
    ['server/c.ts', "export type { A } from './a';"],
  ]);
  expect(findCycle(buildGraph(texts))).toEqual(['server/a.ts', 'server/b/b.ts', 'server/c.ts', 'server/a.ts']);
});
