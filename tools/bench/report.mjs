import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/install.mjs';

const FOLDER = join(root, '.cache/bench');
const RESULTS_FILE = join(FOLDER, 'results.json');
const PAGE_FILE = join(FOLDER, 'results.md');

const INTRODUCTION = `# Benchmark results

\`npm run tool -- bench\` writes this page from \`results.json\`, which holds the last run of each part.
`;

const formatVerdict = ({ ok }) => (ok === undefined ? '' : ok ? 'ok' : 'MISSED');

/** Prints one line of results. Its first cell is the label, and `ok` is undefined for a line without a target. */
export function printLine(columns, line) {
  const [label, ...values] = line.cells;
  const namedValues = values.map((value, i) => value && `${columns[i + 1]} ${value}`).filter(Boolean);
  process.stdout.write(`  ${label}: ${[...namedValues, formatVerdict(line)].filter(Boolean).join(', ')}\n`);
}

const formatRow = (cells) => `| ${cells.join(' | ')} |`;

function renderSection({ title, columns, lines, machine }) {
  const head = [formatRow([...columns, '']), formatRow([...columns, ''].map(() => '---'))];
  const body = lines.map((line) => formatRow([...line.cells, formatVerdict(line)]));
  return `## ${title}\n\n${[...head, ...body].join('\n')}\n\n${machine}\n`;
}

const renderPage = (results) =>
  `${INTRODUCTION}\n<!-- prettier-ignore-start -->\n\n${Object.values(results).map(renderSection).join('\n')}\n<!-- prettier-ignore-end -->\n`;

export function storeResult(part, result) {
  const storedResults = existsSync(RESULTS_FILE) ? JSON.parse(readFileSync(RESULTS_FILE, 'utf8')) : {};
  const results = { ...storedResults, [part]: result };
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(RESULTS_FILE, `${JSON.stringify(results, null, 2)}\n`);
  writeFileSync(PAGE_FILE, renderPage(results));
}
