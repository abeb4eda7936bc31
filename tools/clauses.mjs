import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../scripts/install.mjs';
import { listTests } from './lib/testTitles.mjs';

/** Matches an item such as `- **A.2.7** Its sentence.` with the indented lines below it. */
const CLAUSE = /^- \*\*(?<id>[ABC][.\d]+)\*\* (?<text>.+(?:\n {2}.+)*)/gm;

const specification = readFileSync(join(root, 'docs/SPECIFICATION.md'), 'utf8');
const clauses = [...specification.matchAll(CLAUSE)].map(({ groups }) => groups);
const ids = clauses.map(({ id }) => id);
const tests = listTests(root);
const problems = ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `${id} is there twice`);
for (const { id, text } of clauses) {
  const names = tests.filter((test) => test.clauses.includes(id)).map(({ file, title }) => `  ${file}: ${title}\n`);
  process.stdout.write(`${id}${text.includes('- Deviation: ') ? ' (deviates)' : ''} ${text}\n${names.join('')}\n`);
  if (names.length === 0) problems.push(`${id} has no test`);
}
for (const { file, title, clauses: named } of tests)
  for (const id of named.filter((clause) => !ids.includes(clause)))
    problems.push(`${file} “${title}” names the clause ${id}, which does not exist`);
process.stderr.write(problems.map((problem) => `${problem}\n`).join(''));
process.exit(problems.length > 0 ? 1 : 0);
