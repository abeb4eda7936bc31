import type { Pool, PoolClient } from 'pg';

interface RecordedStatement {
  text: string;
  values: unknown[];
}

/** Records the statements that the server sends to its database during the work. */
export async function recordStatements(pool: Pool, work: () => Promise<unknown>): Promise<RecordedStatement[]> {
  const spies = new Map<PoolClient, jest.SpyInstance>();
  const watch = (client: PoolClient) => {
    if (!spies.has(client)) spies.set(client, jest.spyOn(client, 'query'));
  };
  pool.on('acquire', watch);
  await work();
  pool.off('acquire', watch);
  const calls = [...spies.values()].flatMap(
    (spy) => spy.mock.calls as [string | { text: string; values?: unknown[] }, unknown[]?][],
  );
  for (const spy of spies.values()) spy.mockRestore();
  return calls.map(([query, values]) =>
    typeof query === 'string'
      ? { text: query, values: values ?? [] }
      : { values: query.values ?? values ?? [], text: query.text },
  );
}

/** Explains the queries of recorded transactions. Statements without a plan, such as `begin`, are executed. */
export async function explainStatements(pool: Pool, statements: RecordedStatement[]): Promise<string> {
  const client = await pool.connect();
  try {
    const plan: string[] = [];
    for (const { text, values } of statements) {
      const hasPlan = /^\s*(select|insert|update|delete|with)\b/i.test(text);
      const { rows } = await client.query<Record<string, string>>(hasPlan ? `explain ${text}` : text, values);
      if (hasPlan) plan.push(...rows.map((row) => row['QUERY PLAN']!));
    }
    return plan.join('\n');
  } finally {
    client.release(true);
  }
}
