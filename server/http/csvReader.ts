import { CsvError, parse } from 'csv-parse';
import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { formatWithCommas } from '../../src/contract/formatWithCommas';
import { withoutApostrophe } from './csvWriter';
import { malformedCsv } from './problems';

/** A row of a CSV file. Cells that are empty are missing. */
export interface CsvRow<Column extends string> {
  /** The line of the file on which the row begins. */
  line: number;
  cells: Partial<Record<Column, string>>;
  /** What is wrong with the row as a whole. */
  error?: string;
}

const emptyFile = () => malformedCsv('The file is empty. Upload a CSV file with a header line.');
const tooManyRows = (max: number) =>
  malformedCsv(`The file has more than ${formatWithCommas(max)} rows. Split it into several files.`);

const SEPARATORS = [',', ';', '\t'];
const LINE_BREAK = /\r\n|\n|\r/;

function encodingOf(file: Buffer): string {
  const [first, second] = file;
  if ((first === 0xff && second === 0xfe) || second === 0) return 'utf-16le';
  if ((first === 0xfe && second === 0xff) || first === 0) return 'utf-16be';
  return isUtf8(file) ? 'utf-8' : 'windows-1252';
}

function decode(file: Buffer): string {
  if (file.subarray(0, 4).toString('latin1') === 'PK\u0003\u0004')
    throw malformedCsv('This file is a workbook. Open it in your spreadsheet program, and save it as CSV.');
  const text = new TextDecoder(encodingOf(file)).decode(file);
  if (text.includes('\0')) throw malformedCsv("This file isn't CSV. Save the list as CSV in your spreadsheet program.");
  return text;
}

/** Names of columns contain no separators, so the separator is the character that the header has most of. */
function separatorOf(text: string): string {
  const [header = ''] = text.split(LINE_BREAK, 1);
  const countOf = (separator: string) => header.split(separator).length;
  return SEPARATORS.reduce((best, separator) => (countOf(separator) > countOf(best) ? separator : best));
}

const quoteNames = (names: readonly string[]) => names.map((name) => `"${name}"`).join(', ');

function checkHeader<Column extends string>(names: string[], known: readonly Column[]): Column[] {
  for (const [index, name] of names.entries()) {
    const place = `Line 1, column ${index + 1}`;
    if (!known.includes(name as Column))
      throw malformedCsv(`${place}: "${name.slice(0, 40)}" isn't the name of a column. Use ${quoteNames(known)}.`);
    if (names.indexOf(name) < index) throw malformedCsv(`${place}: the column "${name}" is there twice. Remove one.`);
  }
  return names as Column[];
}

const countOf = (cells: string[], pattern: RegExp) =>
  cells.reduce((sum, cell) => sum + (cell.match(pattern)?.length ?? 0), 0);

function quoteProblem({ code, column }: CsvError, line: number, header: string[]) {
  const name = header[Number(column)] ?? Number(column) + 1;
  const isOpen = code === 'CSV_QUOTE_NOT_CLOSED';
  const what = isOpen
    ? 'the text that begins in this row has no closing quotation mark'
    : 'a quotation mark is misplaced';
  return malformedCsv(
    `Line ${line}, column "${name}": ${what}. Put the whole text in quotation marks, and double those inside it.`,
  );
}

function toRow<Column extends string>(line: number, header: Column[], record: string[]): CsvRow<Column> {
  const cells: CsvRow<Column>['cells'] = {};
  for (const [index, column] of header.entries()) {
    const cell = record[index] ?? '';
    if (cell.trim() !== '') cells[column] = withoutApostrophe(cell);
  }
  if (record.length === header.length) return { line, cells };
  return { line, cells, error: `The row has ${record.length} cells, but the header has ${header.length}.` };
}

const CHUNK_BYTES = 65_536;

/** Between two chunks, the server handles other requests. */
function* chunksOf(text: string) {
  const bytes = Buffer.from(text);
  for (let from = 0; from < bytes.length; from += CHUNK_BYTES) yield bytes.subarray(from, from + CHUNK_BYTES);
}

type OnRecord = (record: string[], lines: number) => void;

/** The parser would drop earlier records at an error, so they are taken while it parses. */
function parseText(text: string, onRecord: OnRecord): Promise<void> {
  const parser = parse({
    delimiter: separatorOf(text),
    relax_column_count: true,
    skip_empty_lines: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    on_record: (record: string[], { lines }) => void onRecord(record, lines),
  });
  return pipeline(Readable.from(chunksOf(text)), parser.resume());
}

/**
 * Reads a file that a spreadsheet program has saved: in UTF-8, UTF-16 or Windows' Latin-1, with commas, semicolons or
 * tabs. Leaves out rows without text.
 * @param known the names that columns may have, in any order
 */
export async function readCsv<Column extends string>(file: Buffer, known: readonly Column[], maxRows: number) {
  let columns: Column[] | undefined;
  const rows: CsvRow<Column>[] = [];
  /** The parser counts a CRLF inside of quotation marks as two lines. */
  let countedTwice = 0;
  let nextLine = 1;
  function onRecord(record: string[], lines: number) {
    const line = lines - countedTwice - countOf(record, /[\r\n]/g);
    countedTwice += countOf(record, /\r\n/g);
    nextLine = lines - countedTwice + 1;
    if (!columns) {
      columns = checkHeader(
        record.map((name) => name.trim()),
        known,
      );
    } else if (record.some((cell) => cell.trim() !== '')) rows.push(toRow(line, columns, record));
    if (rows.length > maxRows) throw tooManyRows(maxRows);
  }
  try {
    await parseText(decode(file), onRecord);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = error.code === 'CSV_QUOTE_NOT_CLOSED' ? nextLine : Number(error['lines']) - countedTwice;
    throw quoteProblem(error, line, columns ?? []);
  }
  if (!columns) throw emptyFile();
  return { columns, rows };
}
