import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { areaOf } from './areas.mjs';
import { ignoreLogMessages } from './ignoreLogMessages.mjs';

/** Sources that are data, types or programs of their own: no test runs them inside Jest. */
const LEFT_OUT = /\.d\.ts$|\/tests\/|\/db\/|Style\.ts$|server\/index\.ts|contract\/(words|messages|faq|demo|limits)/;
/** Mutants that nobody can tell from the original, each with its reason. */
const EQUIVALENT_FILE = '__tests__/mutants/equivalent.json';
/** An operator that comes into another expression needs the parentheses that it has in the syntax tree. */
const IN_PARENTHESES = ['LogicalOperator', 'ArithmeticOperator', 'EqualityOperator'];

function* filesUnder(path) {
  if (statSync(path).isFile()) yield path;
  else for (const name of readdirSync(path).sort()) yield* filesUnder(join(path, name));
}

/** @returns the files with mutants under these places, relative to the root */
export const sourcesOf = (root, places) =>
  places
    .flatMap((place) => [...filesUnder(join(root, place))])
    .map((path) => relative(root, path).split(sep).join('/'))
    .filter((file) => /\.tsx?$/.test(file) && !LEFT_OUT.test(file) && areaOf(file));

/** Small, seeded and the same everywhere (mulberry32). */
function randomNumbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t = (t + Math.imul(t ^ (t >>> 7), t | 61)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** @returns that many items at random, of those that are good */
function sampleOf(items, size, seed, isGood) {
  const random = randomNumbers(seed);
  const left = [...items];
  const chosen = [];
  while (chosen.length < size && left.length > 0) {
    const [item] = left.splice(Math.floor(random() * left.length), 1);
    if (isGood(item)) chosen.push(item);
  }
  return chosen;
}

const fromTests = (root) => createRequire(join(root, '__tests__/package.json'));

/** @returns of one source its mutants, numbered, and its text with a counter at each */
export async function makeInstrument(root) {
  const { Instrumenter } = await import(pathToFileURL(fromTests(root).resolve('@stryker-mutator/instrumenter')).href);
  const silent = new Proxy({}, { get: () => () => false });
  const instrumenter = new Instrumenter(silent);
  return async (file) => {
    const content = readFileSync(join(root, file), 'utf8');
    const { mutants, files } = await instrumenter.instrument([{ name: join(root, file), content, mutate: true }], {
      plugins: null,
      excludedMutations: [],
      ignorers: [ignoreLogMessages],
    });
    return { content, counted: files[0].content, mutants: mutants.filter(({ status }) => status !== 'Ignored') };
  };
}

const oneLine = (text) => text.replace(/\s+/g, ' ').slice(0, 80);

/** Positions are counted from zero by the instrumenter. */
function mutantsOf(file, { content, mutants }) {
  const lineStarts = [0, ...[...content.matchAll(/\n/g)].map(({ index }) => index + 1)];
  const offsetOf = ({ line, column }) => lineStarts[line] + column;
  return mutants.map(({ id, location, mutatorName, replacement }) => {
    const [start, end] = [offsetOf(location.start), offsetOf(location.end)];
    return {
      file,
      id,
      start,
      end,
      text: IN_PARENTHESES.includes(mutatorName) ? `(${replacement})` : replacement,
      line: location.start.line + 1,
      column: location.start.column + 1,
      mutator: mutatorName,
      original: oneLine(content.slice(start, end)),
      replacement: oneLine(replacement),
      source: content,
    };
  });
}

/** What does not even compile would be "caught" by every test. */
function compiles(swc, { file, source, start, end, text }) {
  try {
    const parser = { syntax: 'typescript', tsx: file.endsWith('x') };
    swc.parseSync(source.slice(0, start) + text + source.slice(end), { ...parser, target: 'es2022' });
    return true;
  } catch {
    return false;
  }
}

function equivalents(root) {
  const list = JSON.parse(readFileSync(join(root, EQUIVALENT_FILE), 'utf8'));
  return new Set(list.map(({ file, original, replacement }) => `${file} ${original} ${replacement}`));
}

/** @returns the mutants to run, in the order of their files */
export async function chooseMutants(root, { paths, sample, seed }) {
  const instrument = await makeInstrument(root);
  const all = [];
  for (const file of sourcesOf(root, paths.length > 0 ? paths : ['server', 'embedded', 'src']))
    all.push(...mutantsOf(file, await instrument(file)));
  const known = equivalents(root);
  const real = all.filter(({ file, original, replacement }) => !known.has(`${file} ${original} ${replacement}`));
  const swc = fromTests(root)('@swc/core');
  const whole = (mutant) => compiles(swc, mutant);
  const chosen = sample === undefined ? real.filter(whole) : sampleOf(real, sample, seed, whole);
  return chosen.sort((a, b) => a.file.localeCompare(b.file) || a.start - b.start);
}
