import { eq } from 'drizzle-orm';
import type { Tool, ToolChange, ToolDraft } from '../../src/contract/entities';
import type { CallerAccount } from '../auth/access';
import type { Tx } from '../db/database';
import { tools } from '../db/schema';
import { doOnce, type IdempotentCall } from '../http/idempotencyKeys';
import { toImageLink } from '../http/imageHosts';
import { invalidField, ProblemError, toolNotFound } from '../http/problems';
import { UUID } from '../http/textValidation';
import { readTool } from './catalogQueries';
import type { CatalogContext } from './context';
import { requireStoredPicture } from './pictures';
import { insertTools, stockProblemOf, updateTools, type ToolFields, type ToolRow } from './writeTools';

export async function addTool({ db, catalog }: CatalogContext, actor: CallerAccount, draft: ToolDraft): Promise<Tool> {
  const [id] = await db.transaction(async (tx) => {
    await requireStoredPicture(tx, draft.img);
    return insertTools(tx, actor, [draft]);
  });
  await catalog.reportChange('tools', id);
  return { _id: id!, ...draft };
}

/**
 * Refuses an edit that would silently overwrite another admin's edit. A field that already has the wanted value is no
 * conflict, so that a request can be sent twice. The error's `meta` has the current values of the conflicting fields.
 */
function requireUnchanged(tool: ToolRow, wanted: ToolFields, was: ToolFields): void {
  const fields = Object.keys(was) as (keyof ToolFields)[];
  const changed = fields.filter((field) => tool[field] !== was[field] && tool[field] !== wanted[field]);
  if (changed.length === 0) return;
  const current = changed.map((field) => [field, tool[field]] as const);
  throw new ProblemError(
    409,
    'tool_changed',
    'Another admin has changed this tool since you opened it. Review the new values and save again.',
    {
      meta: Object.fromEntries(
        current.map(([field, value]) => [field, typeof value === 'boolean' ? String(value) : value]),
      ),
    },
  );
}

async function lockTool(tx: Tx, id: string): Promise<ToolRow> {
  const [tool] = await tx.select().from(tools).where(eq(tools.id, id)).for('no key update');
  if (!tool) throw toolNotFound();
  return tool;
}

/**
 * `stockChange` is a difference and not a new number, because customers may order at the same time.
 * @param key the idempotency key. If a response was lost, the request is sent again with the same key, and the stock
 * changes only once.
 */
export async function editTool(
  { db, catalog, settings }: CatalogContext,
  actor: CallerAccount,
  id: string,
  body: ToolChange,
  key: string | undefined,
): Promise<Tool> {
  if (!UUID.test(id)) throw toolNotFound();
  const { was = {}, stockChange = 0, ...fields } = body;
  const wanted = fields.img === undefined ? fields : { ...fields, img: toImageLink(fields.img, settings) };
  const call: IdempotentCall = { userId: actor.id, call: 'PATCH /tool', key, body: { id, ...body } };
  const tool = await db.transaction(async (tx) => {
    const row = await lockTool(tx, id);
    return doOnce(tx, call, async () => {
      requireUnchanged(row, wanted, was);
      const stockProblem = stockProblemOf(row, stockChange);
      if (stockProblem) throw invalidField('stockChange', stockProblem);
      if (wanted.img !== undefined) await requireStoredPicture(tx, wanted.img);
      await updateTools(tx, actor, [{ tool: row, wanted, stockChange }]);
      return readTool(tx, id);
    });
  });
  await catalog.reportChange('tools', id);
  // Reviews show the tool's name while it is for sale.
  if (fields.name !== undefined || fields.onSale !== undefined) await catalog.reportChange('reviews');
  return tool;
}
