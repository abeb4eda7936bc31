import { stringify } from 'csv-stringify';
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';

/** The schema of a response that is CSV. */
export const CsvFile = Type.Unsafe<Readable>({ type: 'string' });

/** A spreadsheet runs a cell that begins with one of these characters as a formula. */
const FORMULA = /^'*[=+\-@\t\r]/;

const escapeFormula = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);

/** @returns the text of a cell without the apostrophe that `streamCsv` has put before it */
export const withoutApostrophe = (cell: string) => (cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell);

export const sendCsv = (reply: FastifyReply, name: string, rows: Readable) =>
  reply.type('text/csv; charset=utf-8').header('content-disposition', `attachment; filename="${name}"`).send(rows);

/**
 * Streams rows as CSV, as RFC 4180 describes it, with a header line. Objects are written as JSON, and nothing if a value
 * is missing.
 */
export function streamCsv<Column extends string>(
  columns: readonly Column[],
  rows: AsyncIterable<Partial<Record<Column, unknown>>> | Iterable<Partial<Record<Column, unknown>>>,
): Readable {
  const records = Readable.from(rows);
  const lines = stringify({
    header: true,
    columns: [...columns],
    record_delimiter: '\r\n',
    quote_record_delimiter: true,
    cast: { string: escapeFormula, boolean: String },
  });
  records.on('error', (error) => lines.destroy(error));
  lines.on('close', () => records.destroy());
  return records.pipe(lines);
}
