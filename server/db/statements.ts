import type { PoolClient } from 'pg';

/** Far more than the program has; lists of any length would else fill the database's memory. */
const MOST = 500;
const names = new Map<string, string>();

function nameOf(text: string): string | undefined {
  const found = names.get(text);
  if (found || names.size >= MOST) return found;
  const name = `s${names.size}`;
  names.set(text, name);
  return name;
}

interface Statement {
  text: string;
  name?: string;
}

const isStatement = (query: unknown): query is Statement =>
  typeof query === 'object' && query !== null && 'text' in query && !('submit' in query);

/** What is asked again and again is parsed once a connection: PostgreSQL knows a statement with a name. */
export function rememberStatements(client: PoolClient): void {
  const ask = client.query.bind(client) as (...given: unknown[]) => unknown;
  client.query = ((query: unknown, ...rest: unknown[]) => {
    const [values] = rest;
    const worth = isStatement(query) && query.name === undefined && Array.isArray(values) && values.length > 0;
    return ask(worth ? { ...query, name: nameOf(query.text) } : query, ...rest);
  }) as typeof client.query;
}
