import type { RunResult } from './run';

const MAX_LINE_LENGTH = 160;
const TRANSACTION_PHRASES: [pattern: RegExp, phrase: string][] = [
  [/^begin\b/i, 'begins a transaction'],
  [/^commit\b/i, 'commits its transaction'],
  [/^rollback\b/i, 'rolls its transaction back'],
];
/** Matches statements that change nothing, which the story omits. */
const UNINTERESTING = /(select .* from|listen).* -> \d+ rows$|-> 0 rows$/i;
const STATEMENT = /^([\d.]+) copy (\d+) connection (\d+) (.*?)( \[.*)? -> (.*)$/;

function describeStatement(line: string): string | undefined {
  const [, at, copy, connection, text = '', , result] = STATEMENT.exec(line) ?? [];
  if (at === undefined) return undefined;
  const [, phrase] = TRANSACTION_PHRASES.find(([pattern]) => pattern.test(text)) ?? [];
  const tables = [...text.matchAll(/\b(insert into|update|delete from) "?(\w+)"?(?! skip)/gi)]
    .map(([, verb, table]) => `${verb!.toLowerCase().split(' ')[0]}s ${table}`)
    .filter((words, n, all) => all.indexOf(words) === n);
  const what = phrase ?? (tables.length > 0 ? tables.join(', ') : `reads "${text.slice(0, 60)}…"`);
  return `${at} s: copy ${copy} (connection ${connection}) ${what}: ${result}`;
}

/** @returns the story of a run in plain English: who did what, which faults happened, and which invariants broke */
export function describeRun({ story, problems }: RunResult): string {
  const lines = story
    .filter((line) => !UNINTERESTING.test(line) || / -> error/.test(line))
    .map(
      (line) => describeStatement(line) ?? line.replace(/^([\d.]+) +/, '$1 s: ').replace(/ {2,}-> done$| -> done$/, ''),
    )
    .map((line) => (line.length > MAX_LINE_LENGTH ? `${line.slice(0, MAX_LINE_LENGTH)}…` : line));
  return [...lines, '', 'Broken invariants:', ...problems.map((problem) => `- ${problem}`)].join('\n');
}
