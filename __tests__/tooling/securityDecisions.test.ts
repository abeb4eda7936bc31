import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');
const decisionsText = readFileSync(join(ROOT, 'docs/SECURITY-DECISIONS.md'), 'utf8');
/** The number of requirements of levels 1 and 2 in ASVS 5.0.0. */
const REQUIREMENTS = 253;
const ANSWERS = ['met', 'not met', 'n/a'];

interface Row {
  ids: string;
  answer: string;
  reason: string;
}

const rows: Row[] = [...decisionsText.matchAll(/^\|\s*(\d+\.\d+\.\d+[^|]*)\|[^|]*\|([^|]*)\|([^|]*)\|$/gm)].map(
  ([, ids, answer, reason]) => ({ ids: ids!.trim(), answer: answer!.trim(), reason: reason!.trim() }),
);

/** Expands ranges: "6.2.6 to 6.2.8" names three requirements. */
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

/** Parses references: `server/a.test "one..."; "two"` names two tests of one file. A title may end with "...". */
function namedTests(): { file: string; title: string }[] {
  const references: { file: string; title: string }[] = [];
  for (const [, file, titles] of decisionsText.matchAll(
    /((?:server|pages|browser|tooling|embedded)\/[\w./-]+)\.test ("[^"]+"(?:; "[^"]+")*)/g,
  ))
    for (const [, title] of titles!.matchAll(/"([^"]+)"/g))
      references.push({ file: file!, title: title!.replace(/\.\.\.$/, '') });
  return references;
}

test('SECURITY-DECISIONS.md answers every ASVS requirement of levels 1 and 2 once', () => {
  const ids = rows.flatMap(idsOf);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toHaveLength(REQUIREMENTS);
});

test('SECURITY-DECISIONS.md marks every ASVS requirement as met, not met or n/a, with a test or a reason', () => {
  const invalidRows = rows.filter(({ answer, reason }) => !ANSWERS.includes(answer) || reason.length < 3);
  expect(invalidRows).toEqual([]);
});

test('SECURITY-DECISIONS.md names only tests that exist', () => {
  const known = knownTests();
  const isKnown = (named: { file: string; title: string }) =>
    known.some(
      ({ file, title }) => file === named.file && title.split(' › ').some((part) => part.startsWith(named.title)),
    );
  const references = namedTests();
  expect(references.length).toBeGreaterThan(100);
  expect(references.filter((reference) => !isKnown(reference))).toEqual([]);
});
