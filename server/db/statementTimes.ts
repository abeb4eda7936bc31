import { AsyncLocalStorage } from 'node:async_hooks';

/** A statement that a request ran. The time includes waiting for earlier statements on its connection. */
export interface StatementTime {
  name: string;
  ms: number;
}

/** Far more than a request needs, so that a log line stays short. */
const MAX_LISTED = 40;
const storage = new AsyncLocalStorage<StatementTime[]>();

/** Runs work, and adds each statement that it or its continuations run to the list. */
export const listStatementsOf = (list: StatementTime[], work: () => void): void => storage.run(list, work);

const OPERATION = /\b(insert into|delete from|(?<!for |key )update|from|join)\s+"?([a-z_]+)"?/gi;
const VERBS: Record<string, string> = { 'insert into': 'insert', 'delete from': 'delete', update: 'update' };
/** Far more than the server has. Without a limit, statements with lists of different lengths would fill the memory. */
const MAX_SUMMARIES = 500;
const summaries = new Map<string, string>();

/** @returns a summary such as `update tools, insert orders`, or the first word of a statement without a table */
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

/** Adds the time of a statement to the list of its request, if it belongs to one. */
export function timeStatement<T>(name: () => string, run: () => T): T {
  const list = storage.getStore();
  if (!list || list.length >= MAX_LISTED) return run();
  const startedAt = performance.now();
  const result = run();
  const statement = { name: name(), ms: 0 };
  list.push(statement);
  const stop = () => void (statement.ms = Math.round((performance.now() - startedAt) * 10) / 10);
  if (result instanceof Promise) result.then(stop, stop);
  return result;
}
