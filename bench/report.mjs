import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../scripts/install.mjs';

const NOTE = join(root, 'docs/PERFORMANCE.md');
const verdict = ({ ok }) => (ok === undefined ? '' : ok ? 'ok' : 'MISSED');

/** A line is `{ cells, ok }`: one text for each column, and whether its target is met (left out: it has none). */
export function print(columns, line) {
  const [what, ...values] = line.cells;
  const told = values.map((value, i) => value && `${columns[i + 1]} ${value}`).filter(Boolean);
  process.stdout.write(`  ${what}: ${[...told, verdict(line)].filter(Boolean).join(', ')}\n`);
}

const row = (cells) => `| ${cells.join(' | ')} |`;

/** Writes the table between the part's two marks; all around it is written by hand. */
export function keep(part, columns, lines, machine) {
  const [from, to] = [`<!-- bench ${part} -->`, `<!-- /bench ${part} -->`];
  const text = readFileSync(NOTE, 'utf8');
  const [start, stop] = [text.indexOf(from), text.indexOf(to)];
  if (start < 0 || stop < start) throw new Error(`docs/PERFORMANCE.md lacks the marks ${from} and ${to}.`);
  const table = [
    row([...columns, '']),
    row([...columns, ''].map(() => '---')),
    ...lines.map((line) => row([...line.cells, verdict(line)])),
  ];
  const made = `${from}\n<!-- prettier-ignore-start -->\n\n${table.join('\n')}\n\n${machine}\n\n<!-- prettier-ignore-end -->\n`;
  writeFileSync(NOTE, text.slice(0, start) + made + text.slice(stop));
}
