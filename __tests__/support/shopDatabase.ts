import { Client } from 'pg';

/** What a shop's database holds, past its calls: that of the page and browser tests unless another is given. */
export async function query<Row extends object>(
  text: string,
  values: unknown[] = [],
  connectionString = process.env['SHOP_DATABASE_URL'],
): Promise<Row[]> {
  const client = new Client({ connectionString });
  await client.connect();
  const { rows } = await client.query<Row>(text, values).finally(() => client.end());
  return rows;
}
