import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { areaOf } from './areas.mjs';
import { ignoreLabels } from './ignoreLabels.mjs';

/** Excludes data, texts, tables, types, styles, the database layer and the server's process. */
const EXCLUDED =
  /\.d\.ts$|\/tests\/|schema\.ts$|\/db\/|Style\.ts$|server\/index\.ts|contract\/((app|page|spec)Messages|faq|demo|limits)/;
/** A list of mutants that behave like the original, with the reason for each. */
const EQUIVALENT_FILE = '__tests__/mutants/equivalent.json';
/** The replacement is inserted as text, so an expression with one of these operators needs parentheses. */
const NEEDS_PARENTHESES = ['LogicalOperator', 'ArithmeticOperator', 'EqualityOperator'];

function* filesUnder(path) {
  if (statSync(path).isFile()) yield path;
  else for (const name of readdirSync(path).sort()) yield* filesUnder(join(path, name));
}

/** @returns the files with mutants under these places, relative to the root */
export const listSources = (root, places) =>
  places
    .flatMap((place) => [...filesUnder(join(root, place))])
    .map((path) => relative(root, path).split(sep).join('/'))
    .filter((file) => /\.tsx?$/.test(file) && !EXCLUDED.test(file) && areaOf(file));

/** The mulberry32 generator, because a run must be repeatable from its seed. */
function createRandomNumbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t = (t + Math.imul(t ^ (t >>> 7), t | 61)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** @returns up to `size` random items for which `isUsable` holds */
function pickSample(items, size, seed, isUsable) {
  const random = createRandomNumbers(seed);
  const remaining = [...items];
  const chosen = [];
  while (chosen.length < size && remaining.length > 0) {
    const [item] = remaining.splice(Math.floor(random() * remaining.length), 1);
    if (isUsable(item)) chosen.push(item);
  }
  return chosen;
}

const requireFromTests = (root) => createRequire(join(root, '__tests__/package.json'));

/** @returns a function that finds the numbered mutants of a source and adds a counter at each */
export async function createInstrumenter(root) {
  const { Instrumenter } = await import(
    pathToFileURL(requireFromTests(root).resolve('@stryker-mutator/instrumenter')).href
  );
  const silent = new Proxy({}, { get: () => () => false });
  const instrumenter = new Instrumenter(silent);
  return async (file) => {
    const content = readFileSync(join(root, file), 'utf8');
    const { mutants, files } = await instrumenter.instrument([{ name: join(root, file), content, mutate: true }], {
      plugins: null,
      excludedMutations: [],
      ignorers: [ignoreLabels],
    });
    return { content, instrumented: files[0].content, mutants: mutants.filter(({ status }) => status !== 'Ignored') };
  };
}

const toOneLine = (text) => text.replace(/\s+/g, ' ').slice(0, 80);

/** Converts positions: the instrumenter counts lines and columns from 0, and editors count from 1. */
function describeMutants(file, { content, mutants }) {
  const lineStarts = [0, ...[...content.matchAll(/\n/g)].map(({ index }) => index + 1)];
  const offsetOf = ({ line, column }) => lineStarts[line] + column;
  return mutants.map(({ id, location, mutatorName, replacement }) => {
    const [start, end] = [offsetOf(location.start), offsetOf(location.end)];
    return {
      file,
      id,
      start,
      end,
      text: NEEDS_PARENTHESES.includes(mutatorName) ? `(${replacement})` : replacement,
      line: location.start.line + 1,
      column: location.start.column + 1,
      mutator: mutatorName,
      original: toOneLine(content.slice(start, end)),
      replacement: toOneLine(replacement),
      source: content,
    };
  });
}

/** @returns whether the mutant can be parsed. If it cannot, every test would seem to catch it. */
function hasValidSyntax(swc, { file, source, start, end, text }) {
  try {
    const parser = { syntax: 'typescript', tsx: file.endsWith('x') };
    swc.parseSync(source.slice(0, start) + text + source.slice(end), { ...parser, target: 'es2022' });
    return true;
  } catch {
    return false;
  }
}

function readEquivalents(root) {
  const list = JSON.parse(readFileSync(join(root, EQUIVALENT_FILE), 'utf8'));
  return new Set(list.map(({ file, original, replacement }) => `${file} ${original} ${replacement}`));
}

/** @returns the mutants to run, in the order of their files */
export async function chooseMutants(root, { paths, sample, seed }) {
  const instrument = await createInstrumenter(root);
  const all = [];
  for (const file of listSources(root, paths.length > 0 ? paths : ['server', 'embedded', 'src']))
    all.push(...describeMutants(file, await instrument(file)));
  const equivalent = readEquivalents(root);
  const nonEquivalent = all.filter(
    ({ file, original, replacement }) => !equivalent.has(`${file} ${original} ${replacement}`),
  );
  const swc = requireFromTests(root)('@swc/core');
  const isValid = (mutant) => hasValidSyntax(swc, mutant);
  const chosen =
    sample === undefined ? nonEquivalent.filter(isValid) : pickSample(nonEquivalent, sample, seed, isValid);
  return chosen.sort((a, b) => a.file.localeCompare(b.file) || a.start - b.start);
}
