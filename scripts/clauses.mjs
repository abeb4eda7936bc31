import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './install.mjs';
import { listTests } from './testTitles.mjs';

/** @returns a map from the id of each clause to its sentence */
function readClauses() {
  const folder = join(root, '__tests__/clauses');
  const sections = readdirSync(folder)
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')));
  return new Map(sections.flatMap(({ clauses }) => Object.entries(clauses)));
}

const sentences = readClauses();
const tests = listTests(root);
const problems = [];
for (const [id, sentence] of sentences) {
  const names = tests.filter(({ clauses }) => clauses.includes(id)).map(({ file, title }) => `  ${file}: ${title}\n`);
  process.stdout.write(`${id} ${sentence}\n${names.join('')}\n`);
  if (names.length === 0) problems.push(`${id} has no test: “${sentence}”`);
}
for (const { file, title, clauses } of tests)
  for (const id of clauses.filter((clause) => !sentences.has(clause)))
    problems.push(`${file} “${title}” names the clause ${id}, which does not exist`);
process.stderr.write(problems.map((problem) => `${problem}\n`).join(''));
process.exit(problems.length > 0 ? 1 : 0);
