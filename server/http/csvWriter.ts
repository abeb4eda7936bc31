import { stringify } from 'csv-stringify';
import { Readable } from 'node:stream';
import { Type } from 'typebox';

/** The schema of a response that is CSV. */
export const CsvFile = Type.Unsafe<Readable>({ type: 'string' });

type Cell = string | number | boolean | null | undefined;

/** A spreadsheet runs a cell that begins with one of these characters as a formula. */
const FORMULA = /^'*[=+\-@\t\r]/;

const toText = (cell: Cell): string => {
  const text = String(cell ?? '');
  return FORMULA.test(text) ? `'${text}` : text;
};

/** @returns the text of a cell without the apostrophe that `streamCsv` has put before it */
export const withoutApostrophe = (cell: string) => (cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell);

async function* toRecords<Column extends string>(
  columns: readonly Column[],
  rows: AsyncIterable<Record<Column, Cell>> | Iterable<Record<Column, Cell>>,
) {
  for await (const row of rows) yield columns.map((column) => toText(row[column]));
}

/** Streams rows as CSV, as RFC 4180 describes it, with a header line. */
export function streamCsv<Column extends string>(
  columns: readonly Column[],
  rows: AsyncIterable<Record<Column, Cell>> | Iterable<Record<Column, Cell>>,
): Readable {
  const records = Readable.from(toRecords(columns, rows));
  const lines = stringify({
    header: true,
    columns: [...columns],
    record_delimiter: '\r\n',
    quote_record_delimiter: true,
  });
  records.on('error', (error) => lines.destroy(error));
  lines.on('close', () => records.destroy());
  return records.pipe(lines);
}
