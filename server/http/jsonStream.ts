import { Readable } from 'node:stream';

export const BATCH = 1_000;

async function* textOf<Row>(next: (after?: Row) => Promise<Row[]>, shown: (row: Row) => unknown, first: Row[]) {
  const joined = (rows: Row[]) => rows.map((row) => JSON.stringify(shown(row))).join(',');
  yield `[${joined(first)}`;
  for (let rows = first; rows.length === BATCH;) {
    rows = await next(rows.at(-1));
    if (rows.length > 0) yield `,${joined(rows)}`;
  }
  yield ']';
}

/** A list that is whole, in batches: a reader that is slow holds no connection and no more than one batch. */
export async function streamList<Row>(next: (after?: Row) => Promise<Row[]>, shown: (row: Row) => unknown) {
  return Readable.from(textOf(next, shown, await next()), { objectMode: false });
}
