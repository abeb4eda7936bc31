import { AsyncLocalStorage } from 'node:async_hooks';

/** How long a request's statement took, including the wait for earlier statements on the same connection. */
export interface StatementTime {
  name: string;
  ms: number;
}

/** Limits the length of a log line. A request normally runs far fewer statements. */
const MAX_LISTED_STATEMENTS = 40;
const storage = new AsyncLocalStorage<StatementTime[]>();

/** Adds to `list` each statement that `work` runs, also in its promises and callbacks. */
export const listStatementsOf = (list: StatementTime[], work: () => void): void => storage.run(list, work);

const OPERATION = /\b(insert into|delete from|(?<!for |key )update|from|join)\s+"?([a-z_]+)"?/gi;
const VERBS: Record<string, string> = { 'insert into': 'insert', 'delete from': 'delete', update: 'update' };
/**
 * Limits the memory. The server has far fewer statements, but one with a list of values has a different text for each
 * length of the list.
 */
const MAX_SUMMARIES = 500;
const summaries = new Map<string, string>();

/** @returns a summary such as `update tools, insert orders`. Without a table, it is the first word of the statement. */
export function summarizeStatement(text: string): string {
  const known = summaries.get(text);
  if (known !== undefined) return known;
  const found = [...text.matchAll(OPERATION)].map(
    ([, verb = '', table = '']) => `${VERBS[verb.toLowerCase()] ?? 'select'} ${table}`,
  );
  const summary = [...new Set(found)].join(', ') || (text.trim().split(/\s/)[0] ?? '').toLowerCase();
  if (summaries.size < MAX_SUMMARIES) summaries.set(text, summary);
  return summary;
}

export function timeStatement<T>(name: () => string, run: () => T): T {
  const list = storage.getStore();
  if (!list || list.length >= MAX_LISTED_STATEMENTS) return run();
  const startedAt = performance.now();
  const result = run();
  const statement = { name: name(), ms: 0 };
  list.push(statement);
  const stop = () => void (statement.ms = Math.round((performance.now() - startedAt) * 10) / 10);
  if (result instanceof Promise) result.then(stop, stop);
  return result;
}
