import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');
const page = readFileSync(join(ROOT, 'docs/SECURITY-DECISIONS.md'), 'utf8');
/** Requirements of levels 1 and 2 in ASVS 5.0.0. */
const REQUIREMENTS = 253;
const ANSWERS = ['met', 'not met', 'n/a'];

interface Row {
  ids: string;
  answer: string;
  reason: string;
}

const rows: Row[] = [...page.matchAll(/^\|\s*(\d+\.\d+\.\d+[^|]*)\|[^|]*\|([^|]*)\|([^|]*)\|$/gm)].map(
  ([, ids, answer, reason]) => ({ ids: ids!.trim(), answer: answer!.trim(), reason: reason!.trim() }),
);

/** "6.2.6 to 6.2.8" names three requirements. */
function idsOf({ ids }: Row): string[] {
  return ids.split(',').flatMap((part) => {
    const [first = '', last = first] = part.trim().split(' to ');
    const chapter = first.replace(/\d+$/, '');
    const [from, to] = [first, last].map((id) => Number(id.split('.').at(-1)));
    return Array.from({ length: to! - from! + 1 }, (_, i) => `${chapter}${from! + i}`);
  });
}

function knownTests(): { file: string; title: string }[] {
  const program = `import { listTests } from './scripts/testTitles.mjs'; console.log(JSON.stringify(listTests('.')));`;
  const text = execFileSync(process.execPath, ['--input-type=module', '-e', program], { cwd: ROOT, encoding: 'utf8' });
  return JSON.parse(text) as { file: string; title: string }[];
}

/** `server/a.test "one..."; "two"` names two tests of one file. A title may be shortened at its end. */
function namedTests(): { file: string; title: string }[] {
  const named: { file: string; title: string }[] = [];
  for (const [, file, titles] of page.matchAll(
    /((?:server|pages|browser|tooling|embedded)\/[\w./-]+)\.test ("[^"]+"(?:; "[^"]+")*)/g,
  ))
    for (const [, title] of titles!.matchAll(/"([^"]+)"/g))
      named.push({ file: file!, title: title!.replace(/\.\.\.$/, '') });
  return named;
}

test('every requirement of levels 1 and 2 is answered once', () => {
  const ids = rows.flatMap(idsOf);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toHaveLength(REQUIREMENTS);
});

test('every line is met, not met or not applicable, by a test or for a reason', () => {
  const bad = rows.filter(({ answer, reason }) => !ANSWERS.includes(answer) || reason.length < 3);
  expect(bad).toEqual([]);
});

test('every test that the page names exists', () => {
  const known = knownTests();
  const isKnown = (named: { file: string; title: string }) =>
    known.some(
      ({ file, title }) => file === named.file && title.split(' › ').some((part) => part.startsWith(named.title)),
    );
  const named = namedTests();
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter((one) => !isKnown(one))).toEqual([]);
});
