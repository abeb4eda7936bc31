import type { Readable } from 'node:stream';
import type { FastifySchemaValidationError } from 'fastify';
import type { ToolImport } from '../../src/contract/entities';
import type { CsvRow } from '../http/csvReader';
import { streamCsv } from '../http/csvWriter';
import { toImageLink } from '../http/imageHosts';
import { fieldErrors, ProblemError, type FieldError } from '../http/problems';
import { UUID } from '../http/textValidation';
import type { Settings } from '../settings/settings';
import { stockProblemOf, type NewTool, type ToolEdit, type ToolFields, type ToolRow } from './writeTools';

export const TOOL_COLUMNS = [
  '_id',
  'name',
  'price',
  'minimumOrderQuantity',
  'availableQuantity',
  'description',
  'img',
  'onSale',
  'knownQuantity',
] as const;
type Column = (typeof TOOL_COLUMNS)[number];
type Value = string | number | boolean;
type Values = Partial<Record<Column, Value>>;
export type SheetRow = CsvRow<Column>;
type PlannedRow = ToolImport['rows'][number];
type CellError = { column: string; message: string };

/** Checks values against the schemas `ToolSheetDraft` and `ToolSheetChange`. */
export type CheckValues = (values: object, isNew: boolean) => FastifySchemaValidationError[];
interface SheetContext {
  settings: Pick<Settings, 'imgHosts' | 'publicUrl'>;
  check: CheckValues;
  checkPicture: (img: string) => FieldError[];
}

/** A row of the file, what it does, and how. */
export interface Plan {
  row: PlannedRow;
  add?: NewTool;
  edit?: ToolEdit;
  /** The row has a stock, but not the one that it replaces. */
  leavesStock?: boolean;
}

export const streamToolSheet = (tools: ToolRow[]): Readable =>
  streamCsv(
    TOOL_COLUMNS,
    tools.map((tool) => ({ ...tool, _id: tool.id, knownQuantity: tool.availableQuantity })),
  );

const NUMBERS: readonly string[] = ['price', 'minimumOrderQuantity', 'availableQuantity', 'knownQuantity'];
const WHOLE_NUMBER = /^-?\d{1,15}$/;
/** Spreadsheet programs write the words of a truth value in capitals. */
const BOOLEANS: Record<string, boolean> = { true: true, false: false, yes: true, no: false };

function valueOf(column: string, cell: string): Value {
  const text = cell.trim();
  if (NUMBERS.includes(column)) return WHOLE_NUMBER.test(text) ? Number(text) : text;
  return column === 'onSale' ? (BOOLEANS[text.toLowerCase()] ?? text) : cell;
}

const valuesOf = ({ cells: { _id, ...cells } }: SheetRow): Values =>
  Object.fromEntries(Object.entries(cells).map(([column, cell]) => [column, valueOf(column, cell)]));

const withLineFeeds = (value: Value) => (typeof value === 'string' ? value.replaceAll('\r\n', '\n') : value);
/** Some spreadsheet programs change the line breaks in a cell. */
const isSame = (a: Value, b: Value) => withLineFeeds(a) === withLineFeeds(b);

const toCellErrors = (errors: { field: string; message: string }[]): CellError[] =>
  errors.map(({ field, message }) => ({ column: field, message }));

/** @returns the values in the form in which they are stored, or what is wrong with them */
function checkValues(values: Values, isNew: boolean, { check, checkPicture, settings }: SheetContext) {
  const errors = toCellErrors(fieldErrors(check(values, isNew)));
  if (errors.length > 0 || values.img === undefined) return { values, errors };
  try {
    const img = toImageLink(String(values.img), settings);
    return { values: { ...values, img }, errors: toCellErrors(checkPicture(img)) };
  } catch (error) {
    if (error instanceof ProblemError) return { values, errors: toCellErrors(error.extra.errors ?? []) };
    throw error;
  }
}

function planNewTool(row: SheetRow, place: PlannedRow, context: SheetContext): Plan {
  const { knownQuantity: _, ...typed } = valuesOf(row);
  const { values, errors } = checkValues(typed, true, context);
  if (errors.length > 0) return { row: { ...place, errors } };
  return { row: { ...place, action: 'add' }, add: values as NewTool };
}

/** @returns the difference, which is undefined if the row does not say which stock it replaces */
function stockChangeOf({ availableQuantity, knownQuantity }: Values): number | undefined {
  if (availableQuantity === undefined || knownQuantity === undefined) return undefined;
  return Number(availableQuantity) - Number(knownQuantity);
}

function planChange(row: SheetRow, place: PlannedRow, tool: ToolRow, context: SheetContext): Plan {
  const isChanged = ([column, value]: [string, Value]) =>
    column === 'availableQuantity' || !(column in tool) || !isSame(value, tool[column as keyof ToolFields]!);
  const typed: Values = Object.fromEntries(Object.entries(valuesOf(row)).filter(isChanged));
  const { values, errors } = checkValues(typed, false, context);
  const stockChange = stockChangeOf(values);
  const stockProblem = errors.length === 0 && stockChange && stockProblemOf(tool, stockChange);
  if (stockProblem) errors.push({ column: 'availableQuantity', message: stockProblem });
  if (errors.length > 0) return { row: { ...place, errors } };

  const { availableQuantity, knownQuantity: _, ...others } = values;
  const fields = Object.entries(others).filter(isChanged);
  const changes = fields.map(([column, to]) => ({ column, from: tool[column as keyof ToolFields]!, to }));
  const { availableQuantity: from } = tool;
  if (stockChange) changes.push({ column: 'availableQuantity', from, to: from + stockChange });
  const leavesStock = availableQuantity !== undefined && stockChange === undefined;
  if (changes.length === 0) return { row: { ...place, action: 'same' }, leavesStock };
  const edit = { tool, wanted: Object.fromEntries(fields) as ToolFields, stockChange: stockChange ?? 0 };
  return { row: { ...place, action: 'change', changes }, edit, leavesStock };
}

/** @param tools the existing tools of the file, by their ids */
export function planRow(row: SheetRow, tools: Map<string, ToolRow>, context: SheetContext): Plan {
  const id = row.cells._id?.trim().toLowerCase();
  const tool = id === undefined ? undefined : tools.get(id);
  const name = row.cells.name ?? tool?.name ?? '';
  const place: PlannedRow = { line: row.line, action: 'error', name, ...(id !== undefined && { _id: id }) };
  if (row.error) return { row: { ...place, errors: [{ column: '', message: row.error }] } };
  if (id === undefined) return planNewTool(row, place, context);
  if (tool) return planChange(row, place, tool, context);
  const message = 'No tool has this id. To add a tool, leave this cell empty.';
  return { row: { ...place, errors: [{ column: '_id', message }] } };
}

/** @returns the ids of existing tools that the file may have */
export const idsOf = (rows: SheetRow[]) =>
  rows.flatMap(({ cells: { _id = '' } }) => (UUID.test(_id.trim()) ? [_id.trim().toLowerCase()] : []));

/** A row with the id of an earlier row is wrong, because it would be unclear which of the two counts. */
export function findRepeatedIds(rows: SheetRow[]): Map<SheetRow, number> {
  const lines = new Map<string, number>();
  const repeated = new Map<SheetRow, number>();
  for (const row of rows) {
    const id = row.cells._id?.trim().toLowerCase();
    if (id === undefined) continue;
    const earlier = lines.get(id);
    if (earlier === undefined) lines.set(id, row.line);
    else repeated.set(row, earlier);
  }
  return repeated;
}
