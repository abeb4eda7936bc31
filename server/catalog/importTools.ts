import { createHash } from 'node:crypto';
import { asc, sql } from 'drizzle-orm';
import type { ToolImport } from '../../src/contract/entities';
import { formatCount } from '../../src/contract/formatCount';
import { MAX_IMPORTED_ROWS } from '../../src/contract/uploadLimits';
import type { CallerAccount } from '../auth/access';
import type { Db, Tx } from '../db/database';
import { lockedTransaction } from '../db/lockedTransaction';
import { tools } from '../db/schema';
import { readCsv } from '../http/csvReader';
import { doOnce, type IdempotentCall } from '../http/idempotencyKeys';
import { ProblemError } from '../http/problems';
import type { CatalogContext } from './context';
import { createPictureCheck } from './pictures';
import { findRepeatedIds, idsOf, planRow, TOOL_COLUMNS, type CheckValues, type Plan, type SheetRow } from './toolSheet';
import { insertTools, updateTools } from './writeTools';

interface ImportContext extends CatalogContext {
  check: CheckValues;
}
type Sheet = Awaited<ReturnType<typeof readSheet>>;

const readSheet = (file: Buffer) => readCsv(file, TOOL_COLUMNS, MAX_IMPORTED_ROWS);

/** Sorts by id, so that two imports cannot wait for each other. */
const selectTools = (tx: Db | Tx, rows: SheetRow[]) =>
  tx
    .select()
    .from(tools)
    .where(sql`${tools.id} = any(${sql.param(idsOf(rows))}::uuid[])`)
    .orderBy(asc(tools.id));

async function planRows(
  tx: Db | Tx,
  rows: SheetRow[],
  found: (typeof tools.$inferSelect)[],
  context: ImportContext,
): Promise<Plan[]> {
  const links = rows.flatMap(({ cells: { img } }) => img ?? []);
  const checkPicture = await createPictureCheck(tx, links);
  const byId = new Map(found.map((tool) => [tool.id, tool]));
  const repeated = findRepeatedIds(rows);
  return rows.map((row) => {
    const earlier = repeated.get(row);
    return planRow(
      earlier === undefined ? row : { ...row, error: `Line ${earlier} has the same _id. Remove one of the rows.` },
      byId,
      { ...context, checkPicture },
    );
  });
}

function notesOf({ columns }: Sheet, plans: Plan[]): string[] {
  const added = plans.filter(({ add }) => add).length;
  const leavingStock = plans.filter(({ leavesStock }) => leavesStock).length;
  const why = columns.includes('knownQuantity')
    ? 'the cell knownQuantity is empty'
    : 'the column knownQuantity is missing';
  return [
    ...(columns.includes('_id') || added === 0 ? [] : ['The column _id is missing, so each row adds a new tool.']),
    ...(leavingStock === 0
      ? []
      : [`The stock of ${formatCount(leavingStock, 'tool')} doesn't change, because ${why}.`]),
  ];
}

function toAnswer(sheet: Sheet, plans: Plan[]): ToolImport {
  const rows = plans.map(({ row }) => row);
  const count = (action: string) => rows.filter((row) => row.action === action).length;
  const counts = { add: count('add'), change: count('change'), same: count('same'), error: count('error') };
  return { counts, notes: notesOf(sheet, plans), rows };
}

const MAX_NAMED_ERRORS = 20;

/** Nothing is imported if one of the rows is wrong. */
function requireNoErrors({ rows, counts }: ToolImport): void {
  if (counts.error === 0) return;
  const errors = rows.flatMap(({ line, errors: ofRow = [] }) =>
    ofRow.map(({ column, message }) => ({ field: column ? `line ${line}, ${column}` : `line ${line}`, message })),
  );
  const sentences = errors.slice(0, MAX_NAMED_ERRORS).map(({ field, message }) => `${field}: ${message}`);
  const detail = `Nothing was changed, because ${formatCount(counts.error, 'row')} can't be imported. ${sentences.join(' ')}`;
  throw new ProblemError(422, 'validation', detail, { errors: errors.slice(0, MAX_NAMED_ERRORS) });
}

/** Reports what an import would do, without doing it. */
export async function previewImport(context: ImportContext, file: Buffer): Promise<ToolImport> {
  const sheet = await readSheet(file);
  const found = await selectTools(context.db, sheet.rows);
  return toAnswer(sheet, await planRows(context.db, sheet.rows, found, context));
}

/**
 * Imports a spreadsheet of tools, all of it or nothing. The stock changes by a difference, so that what was sold since
 * the export stays sold.
 * @param key the idempotency key. A file that is sent again with the same key is imported once.
 */
export async function importTools(
  context: ImportContext,
  actor: CallerAccount,
  file: Buffer,
  key: string | undefined,
): Promise<ToolImport> {
  const { db, catalog } = context;
  const sheet = await readSheet(file);
  const body = { file: createHash('sha256').update(file).digest('base64url') };
  const call: IdempotentCall = { userId: actor.id, call: 'POST /tool/import', key, body };
  const answer = await lockedTransaction(db, { customerId: actor.id }, (tx) =>
    doOnce(tx, call, async () => {
      const found = await selectTools(tx, sheet.rows).for('no key update');
      const plans = await planRows(tx, sheet.rows, found, context);
      const planned = toAnswer(sheet, plans);
      requireNoErrors(planned);
      const additions = plans.flatMap(({ add }) => add ?? []);
      const edits = plans.flatMap(({ edit }) => edit ?? []);
      await insertTools(tx, actor, additions);
      await updateTools(tx, actor, edits);
      return planned;
    }),
  );
  await catalog.reportChange('tools');
  await catalog.reportChange('reviews');
  return answer;
}
