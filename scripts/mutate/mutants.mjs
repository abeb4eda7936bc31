import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { areaOf } from './areas.mjs';

/** Sources that are data, types or browser entry points: no test asserts them by behavior. */
const LEFT_OUT =
  /\.d\.ts$|\/db\/|Style\.ts$|\.client\.js$|src\/(entry|index|render)|contract\/(words|messages|faq|demo)/;
/** Mutants that nobody can tell from the original, each with its reason. */
const EQUIVALENT_FILE = '__tests__/mutants/equivalent.json';

function* sourceFiles(path) {
  if (statSync(path).isFile()) {
    if (/\.tsx?$/.test(path)) yield path;
    return;
  }
  for (const name of readdirSync(path).sort()) yield* sourceFiles(join(path, name));
}

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

function sampleOf(items, size, seed) {
  const random = randomNumbers(seed);
  const left = [...items];
  const chosen = [];
  while (chosen.length < size && left.length > 0) chosen.push(left.splice(Math.floor(random() * left.length), 1)[0]);
  return chosen;
}

/** Positions are counted from zero by the instrumenter. */
function offsetOf(lineStarts, { line, column }) {
  return lineStarts[line] + column;
}

const oneLine = (text) => text.replace(/\s+/g, ' ').slice(0, 80);

async function mutantsOf(instrumenter, root, path) {
  const file = relative(root, path).split(sep).join('/');
  const text = readFileSync(path, 'utf8');
  const lineStarts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  const { mutants } = await instrumenter.instrument([{ name: path, content: text, mutate: true }], {
    plugins: null,
    excludedMutations: [],
    ignorers: [],
  });
  return mutants.map(({ location, mutatorName, replacement }) => {
    const [start, end] = [offsetOf(lineStarts, location.start), offsetOf(lineStarts, location.end)];
    return {
      file,
      start,
      end,
      text: replacement,
      line: location.start.line + 1,
      column: location.start.column + 1,
      mutator: mutatorName,
      original: oneLine(text.slice(start, end)),
      replacement: oneLine(replacement),
    };
  });
}

function equivalents(root) {
  const list = JSON.parse(readFileSync(join(root, EQUIVALENT_FILE), 'utf8'));
  return new Set(list.map(({ file, original, replacement }) => `${file} ${original} ${replacement}`));
}

/** @returns the mutants to run, in the order of their files */
export async function chooseMutants(root, { paths, sample, seed }) {
  const fromTests = createRequire(join(root, '__tests__/package.json'));
  const { Instrumenter } = await import(pathToFileURL(fromTests.resolve('@stryker-mutator/instrumenter')).href);
  const silent = new Proxy({}, { get: () => () => false });
  const instrumenter = new Instrumenter(silent);
  const known = equivalents(root);

  const places = paths.length > 0 ? paths : ['server', 'embedded', 'src'];
  const all = [];
  for (const place of places)
    for (const path of sourceFiles(join(root, place))) {
      const file = relative(root, path).split(sep).join('/');
      if (LEFT_OUT.test(file) || !areaOf(file)) continue;
      all.push(...(await mutantsOf(instrumenter, root, path)));
    }
  const real = all.filter(({ file, original, replacement }) => !known.has(`${file} ${original} ${replacement}`));
  const chosen = sample === undefined ? real : sampleOf(real, sample, seed);
  return chosen.sort((a, b) => a.file.localeCompare(b.file) || a.start - b.start);
}
