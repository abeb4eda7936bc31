import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { SEPARATOR, testTitles } from './testTitles.mjs';

const INTRODUCTION = `# Every clause and the tests that hold it

Made by \`npm run clauses\` from \`__tests__/clauses\`; the test "every clause has a test" fails when a clause has none, when a test that is
named does not exist, or when this page is out of date. Sections A are the document's sentences, section C says what we decided where it is silent.
The tests run on the production build with the real server and database: \`server\` asks it directly, \`pages\` draws the
pages in jsdom against it, \`browser\` uses them in Chromium.
`;
const root = fileURLToPath(new URL('..', import.meta.url));

function sectionsIn(folder) {
  return readdirSync(folder)
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
    .map((name) => ({ id: name.replace('.json', ''), ...JSON.parse(readFileSync(join(folder, name), 'utf8')) }));
}

/** What is wrong, in sentences; nothing when every clause is held. */
export function findings(sections, titles) {
  const known = new Set(titles);
  const clauses = sections.flatMap(({ id, clauses }) => Object.entries(clauses).map((clause) => [id, ...clause]));
  return clauses.flatMap(([id, sentence, tests]) => [
    ...(tests.length === 0 ? [`${id}: no test holds “${sentence}”`] : []),
    ...tests.filter((test) => !known.has(test)).map((test) => `${id}: there is no test “${test}” (“${sentence}”)`),
  ]);
}

const escaped = (text) => text.replaceAll(/[*_<>[\]]/g, '\\$&');

function pageOf(sections) {
  const count = sections.reduce((sum, { clauses }) => sum + Object.keys(clauses).length, 0);
  const parts = sections.map(({ id, title, clauses }) => {
    const items = Object.entries(clauses).map(([sentence, tests], index) => {
      const lines = tests.map((test) => {
        const [file, ...rest] = test.split(SEPARATOR);
        return `   - \`${file}\`: ${escaped(rest.join(SEPARATOR))}`;
      });
      return [`${index + 1}. ${escaped(sentence)}`, ...lines].join('\n');
    });
    return `## ${id} ${title}\n\n${items.join('\n')}\n`;
  });
  return [INTRODUCTION, `${count} clauses.`, ...parts].join('\n');
}

/** Reads the house in `folder`; answers what is wrong with it, and writes the page unless it only looks. */
export async function coverage(folder, { check }) {
  const sections = sectionsIn(join(folder, '__tests__/clauses'));
  const wrong = findings(sections, testTitles(join(folder, '__tests__')));
  const file = join(folder, 'docs/SPEC-COVERAGE.md');
  const page = await format(pageOf(sections), { ...(await resolveConfig(file)), filepath: file });
  if (!check) writeFileSync(file, page);
  else if (!existsSync(file) || readFileSync(file, 'utf8') !== page)
    wrong.push('docs/SPEC-COVERAGE.md is out of date: npm run clauses');
  return wrong;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [folder = root] = process.argv.slice(2).filter((word) => word !== '--check');
  const wrong = await coverage(resolve(folder), { check: process.argv.includes('--check') });
  process.stderr.write(wrong.map((sentence) => `${sentence}\n`).join(''));
  process.exitCode = wrong.length > 0 ? 1 : 0;
}
