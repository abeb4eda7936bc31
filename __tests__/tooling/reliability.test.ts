import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const reliabilityText = read('docs/RELIABILITY.md');
const scenarios = [...read('faults/scenarios.mjs').matchAll(/^import \{ (\w+) \}/gm)].map(([, name]) => name!);

const TEST_NAME = /^(server|pages|browser|tooling|embedded)\/[\w./-]+\.test$/;
/** Tests of an embedded service are in its own folder, all others under `__tests__`. */
const isTestFile = (name: string) =>
  TEST_NAME.test(name) &&
  ['.ts', '.tsx'].some((ending) =>
    existsSync(join(ROOT, name.startsWith('embedded/') ? '' : '__tests__', name + ending)),
  );
/** The document may also name the CI script, which is no test. */
const NOT_TESTS = ['.ci/run'];
const namesIn = (text: string) => [...text.matchAll(/`([^`\n]+)`/g)].map(([, name]) => name!);
const findUnknown = (names: string[]) =>
  names.filter((name) => !isTestFile(name) && !scenarios.includes(name) && !NOT_TESTS.includes(name));

const promises = /^## Promises$([\s\S]*?)^## /m
  .exec(reliabilityText)![1]!
  .split(/^(?=- \*\*)/m)
  .slice(1);

test('control: a fault scenario and a test that do not exist are reported', () => {
  expect(findUnknown(['kills', 'killed', 'server/mail/mail.test', 'server/mail/letters.test'])).toEqual([
    'killed',
    'server/mail/letters.test',
  ]);
});

test('every promise in RELIABILITY.md names at least one fault scenario or test, and only those that exist', () => {
  expect(promises.length).toBeGreaterThan(40);
  for (const promise of promises) {
    const names = namesIn(/Checked by ([\s\S]*?)\.(?=\s|$)/.exec(promise)?.[1] ?? '');
    expect([promise, names.some((name) => isTestFile(name) || scenarios.includes(name)), findUnknown(names)]).toEqual([
      promise,
      true,
      [],
    ]);
  }
});

test('RELIABILITY.md names only tests that exist, and names every fault scenario', () => {
  const names = namesIn(reliabilityText);
  expect(names.filter((name) => name.endsWith('.test') && !isTestFile(name))).toEqual([]);
  expect(scenarios.filter((scenario) => !names.includes(scenario))).toEqual([]);
});
