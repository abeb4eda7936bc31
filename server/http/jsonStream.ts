import { Readable } from 'node:stream';

export const LIST_BATCH_SIZE = 1_000;

async function* writeChunks<Row>(
  readBatch: (after?: Row) => Promise<Row[]>,
  format: (row: Row) => unknown,
  first: Row[],
) {
  const stringify = (rows: Row[]) => rows.map((row) => JSON.stringify(format(row))).join(',');
  yield `[${stringify(first)}`;
  for (let rows = first; rows.length === LIST_BATCH_SIZE;) {
    rows = await readBatch(rows.at(-1));
    if (rows.length > 0) yield `,${stringify(rows)}`;
  }
  yield ']';
}

/**
 * Streams a list as JSON in batches. For a slow client, the server keeps only one batch in memory and no database
 * connection open.
 */
export async function streamList<Row>(readBatch: (after?: Row) => Promise<Row[]>, format: (row: Row) => unknown) {
  return Readable.from(writeChunks(readBatch, format, await readBatch()), { objectMode: false });
}
