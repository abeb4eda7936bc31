import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { renderAccessibility } from './accessibility.mjs';
import { escapeMarkdown, listTests, renderTestItem } from './testTitles.mjs';

const INTRODUCTION = `# Clauses of the specification and their tests

This page lists every clause of the specification with the tests that check it. Sections A are the owner's sentences.
Sections C are our decisions where the owner's document says nothing.

\`npm run clauses\` writes this page from two sources: the sentences in \`__tests__/clauses\`, and the comments
\`// Clauses A.2.7, C.6.3\` above tests. A test fails when a clause has no test, when a comment names a clause that does
not exist, or when this page is out of date.

The tests use the real server and database. \`server\` runs the server in the process of the test, \`pages\` renders the
pages in jsdom against the built server, and \`browser\` uses the built shop in Chromium.
`;
const root = fileURLToPath(new URL('..', import.meta.url));

function readSections(folder) {
  return readdirSync(folder)
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
    .map((name) => ({ id: name.replace('.json', ''), ...JSON.parse(readFileSync(join(folder, name), 'utf8')) }));
}

/** @returns a map from clause id to the tests that name it */
function groupByClause(tests) {
  const byClause = new Map();
  for (const test of tests) for (const id of test.clauses) byClause.set(id, [...(byClause.get(id) ?? []), test]);
  return byClause;
}

/** @returns one sentence for each problem */
function findProblems(sections, byClause) {
  const sentences = new Map(sections.flatMap(({ clauses }) => Object.entries(clauses)));
  const untested = [...sentences].filter(([id]) => !byClause.has(id));
  const unknown = [...byClause].filter(([id]) => !sentences.has(id));
  return [
    ...untested.map(([id, sentence]) => `${id} has no test: “${sentence}”`),
    ...unknown.flatMap(([id, tests]) =>
      tests.map(({ file, title }) => `${file} “${title}” names the clause ${id}, which does not exist`),
    ),
  ];
}

function renderPage(sections, byClause) {
  const count = sections.reduce((sum, { clauses }) => sum + Object.keys(clauses).length, 0);
  const sectionTexts = sections.map(({ id, title, clauses }) => {
    const items = Object.entries(clauses).map(([clause, sentence]) => {
      const lines = (byClause.get(clause) ?? []).map(renderTestItem);
      return [`**${clause}** ${escapeMarkdown(sentence)}\n`, ...lines].join('\n');
    });
    return `## ${id} ${title}\n\n${items.join('\n\n')}\n`;
  });
  return [INTRODUCTION, `${count} clauses.`, ...sectionTexts].join('\n');
}

/**
 * Writes a page, or compares it with the stored one.
 * @returns a sentence for each problem
 */
async function updatePage(folder, name, text, { check }) {
  const file = join(folder, name);
  const page = await format(text, { ...(await resolveConfig(file)), filepath: file });
  if (!check) writeFileSync(file, page);
  else if (!existsSync(file) || readFileSync(file, 'utf8') !== page)
    return [`${name} is out of date: run npm run clauses`];
  return [];
}

/**
 * Writes SPEC-COVERAGE.md and the accessibility report of the project in `folder`. With `check`, it only compares them.
 * @returns the problems found, as sentences
 */
export async function updateCoverage(folder, options) {
  const tests = listTests(folder);
  const sections = readSections(join(folder, '__tests__/clauses'));
  const byClause = groupByClause(tests);
  const accessibility = renderAccessibility(folder, tests);
  const pages = { 'docs/SPEC-COVERAGE.md': renderPage(sections, byClause), ...accessibility.pages };
  const problems = [...findProblems(sections, byClause), ...accessibility.problems];
  for (const [name, text] of Object.entries(pages)) problems.push(...(await updatePage(folder, name, text, options)));
  return problems;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [folder = root] = process.argv.slice(2).filter((word) => word !== '--check');
  const problems = await updateCoverage(resolve(folder), { check: process.argv.includes('--check') });
  process.stderr.write(problems.map((sentence) => `${sentence}\n`).join(''));
  process.exitCode = problems.length > 0 ? 1 : 0;
}
