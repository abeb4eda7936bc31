import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../scripts/install.mjs';

const RESULTS = join(root, 'bench/results.json');
const PAGE = join(root, 'docs/BENCHMARKS.md');

const INTRODUCTION = `# Benchmark results

\`npm run bench\` writes this page from \`bench/results.json\`, which holds the last run of each part.
[PERFORMANCE.md](PERFORMANCE.md) says what is measured, how, and what the numbers mean.
`;

const verdict = ({ ok }) => (ok === undefined ? '' : ok ? 'ok' : 'MISSED');

/** Prints a line `{ cells, ok }`: one text for each column, and whether its target is met, if it has one. */
export function print(columns, line) {
  const [what, ...values] = line.cells;
  const named = values.map((value, i) => value && `${columns[i + 1]} ${value}`).filter(Boolean);
  process.stdout.write(`  ${what}: ${[...named, verdict(line)].filter(Boolean).join(', ')}\n`);
}

const row = (cells) => `| ${cells.join(' | ')} |`;

function section({ title, columns, lines, machine }) {
  const head = [row([...columns, '']), row([...columns, ''].map(() => '---'))];
  const body = lines.map((line) => row([...line.cells, verdict(line)]));
  return `## ${title}\n\n${[...head, ...body].join('\n')}\n\n${machine}\n`;
}

const page = (results) =>
  `${INTRODUCTION}\n<!-- prettier-ignore-start -->\n\n${Object.values(results).map(section).join('\n')}\n<!-- prettier-ignore-end -->\n`;

/** Stores the results of one part, and writes the page anew from those of all parts. */
export function store(part, result) {
  const known = existsSync(RESULTS) ? JSON.parse(readFileSync(RESULTS, 'utf8')) : {};
  const results = { ...known, [part]: result };
  writeFileSync(RESULTS, `${JSON.stringify(results, null, 2)}\n`);
  writeFileSync(PAGE, page(results));
}
