import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { escapeMarkdown, renderTestItem } from './testTitles.mjs';

const LEVELS = ['A', 'AA', 'AAA'];
const INTRODUCTION = `# Accessibility

This page says for each success criterion of WCAG 2.2 whether and how the shop meets it, and which tests show it.

\`npm run clauses\` writes this page and [openacr.yaml](openacr.yaml), the same report in the OpenACR format, from
\`__tests__/wcag\`. A test fails when a criterion has no test, when a named test does not exist, or when a page is
out of date.

Two engines, axe and IBM's Equal Access, check the pages in the states that the tests below open, with their dialogs and
errors. They run in the light and the dark theme, in forced colors, at 320 pixels (which is a zoom of 400 %), and with
the text spacing of criterion 1.4.12. They report no failure. Rules that contradict the standards are off, and hints of
Equal Access that only ask for a review do not count. The way from the home page to the receipt is stored as a screen
reader reads it, in \`__tests__/browser/site/purchaseTranscript.txt\`.

The card form of Stripe, the sign-in window of Google and pictures that customers link are not part of this report.
`;
const OPEN_QUESTIONS = `## What only a person can judge

No person with a disability and no expert has tested the shop. The tests cannot answer these questions:
`;

const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

function readGuidelines(folder) {
  return readdirSync(folder)
    .filter((name) => /^\d/.test(name))
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
    .map((name) => ({ id: name.replace('.json', ''), ...readJson(join(folder, name)) }));
}

const listCriteria = (guidelines) =>
  guidelines.flatMap(({ criteria }) => Object.entries(criteria).map(([id, criterion]) => ({ id, ...criterion })));

/** @returns one sentence for each problem */
function findProblems(criteria, groups, tests) {
  const known = new Set(tests.map(({ file, title }) => `${file}: ${title}`));
  const describeUnknown = (owner, names) =>
    names.filter((name) => !known.has(name)).map((name) => `${owner} names the test “${name}”, which does not exist`);
  const untested = criteria.filter(({ result, tests = [] }) => result !== 'not claimed' && tests.length === 0);
  return [
    ...untested.map(({ id }) => `WCAG ${id} has no test`),
    ...criteria.flatMap(({ id, tests = [] }) =>
      describeUnknown(
        `WCAG ${id}`,
        tests.filter((name) => !(name in groups)),
      ),
    ),
    ...Object.entries(groups).flatMap(([name, group]) => describeUnknown(`The group “${name}”`, group.tests)),
  ];
}

function parseTestName(name) {
  const [file] = name.split(': ');
  return { file, title: name.slice(file.length + 2) };
}
const anchorOf = (title) =>
  title
    .toLowerCase()
    .replaceAll(/[^a-z ]/g, '')
    .replaceAll(' ', '-');
const renderGroupItem = ({ title }) => `- [${title}](#${anchorOf(title)})`;

function renderCriterion({ id, name, level, result, how, tests = [], person }, groups) {
  const items = tests.map((test) =>
    test in groups ? renderGroupItem(groups[test]) : renderTestItem(parseTestName(test)),
  );
  const note = person ? `\n${escapeMarkdown(person)}\n` : '';
  return `**${id} ${name}** (${level}, ${result}). ${escapeMarkdown(how)}\n${note}\n${items.join('\n')}`;
}

function renderResultCounts(criteria) {
  const rows = LEVELS.map((level) => {
    const results = criteria.filter((criterion) => criterion.level === level).map(({ result }) => result);
    const count = (wanted) => results.filter((result) => result === wanted).length;
    return `| ${level} | ${results.length} | ${count('supported')} | ${count('not applicable')} | ${count('not claimed')} |`;
  });
  return ['| level | criteria | supported | not applicable | not claimed |', '|---|---:|---:|---:|---:|', ...rows].join(
    '\n',
  );
}

function renderPage(guidelines, groups) {
  const criteria = listCriteria(guidelines);
  const questions = criteria
    .filter(({ person }) => person)
    .map(({ id, person }) => `- ${id}: ${escapeMarkdown(person)}`);
  const sections = guidelines.map(
    ({ id, title, criteria }) =>
      `## ${id} ${title}\n\n${listCriteria([{ criteria }])
        .map((criterion) => renderCriterion(criterion, groups))
        .join('\n\n')}`,
  );
  const groupTexts = Object.values(groups).map(
    ({ title, tests }) => `### ${title}\n\n${tests.map((name) => renderTestItem(parseTestName(name))).join('\n')}`,
  );
  return [
    INTRODUCTION,
    renderResultCounts(criteria),
    `${OPEN_QUESTIONS}\n${questions.join('\n')}`,
    '## Tests of many criteria',
    ...groupTexts,
    ...sections,
    '',
  ].join('\n\n');
}

const ADHERENCE = { supported: 'supports', 'not applicable': 'not-applicable', 'not claimed': 'not-evaluated' };

/** Quotes texts with `JSON.stringify`, because JSON strings are valid YAML. */
function renderOpenAcr(criteria, about) {
  const chapters = LEVELS.flatMap((level) => [
    `  success_criteria_level_${level.toLowerCase()}:`,
    '    criteria:',
    ...criteria
      .filter((criterion) => criterion.level === level)
      .flatMap(({ id, result, how, person }) => [
        `      - num: "${id}"`,
        '        components:',
        '          - name: web',
        '            adherence:',
        `              level: ${ADHERENCE[result]}`,
        `              notes: ${JSON.stringify([how, person].filter(Boolean).join(' '))}`,
      ]),
  ]);
  const head = Object.entries(about).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  return [...head, 'chapters:', ...chapters, ''].join('\n');
}

/** @returns the pages about accessibility of the project in `folder`, and one sentence for each problem */
export function renderAccessibility(folder, tests) {
  const source = join(folder, '__tests__/wcag');
  if (!existsSync(source)) return { pages: {}, problems: [] };
  const guidelines = readGuidelines(source);
  const groups = readJson(join(source, 'testGroups.json'));
  const criteria = listCriteria(guidelines);
  return {
    pages: {
      'docs/ACCESSIBILITY.md': renderPage(guidelines, groups),
      'docs/openacr.yaml': renderOpenAcr(criteria, readJson(join(source, 'openacrHead.json'))),
    },
    problems: findProblems(criteria, groups, tests),
  };
}
