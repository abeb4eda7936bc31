import type { Tool, ToolDraft } from '../../src/contract/entities';
import type { Db } from '../db/database';
import { tools } from '../db/schema';
import type { Catalog } from './catalog';

interface AddContext {
  db: Db;
  catalog: Pick<Catalog, 'reportChange'>;
}

export async function addTool({ db, catalog }: AddContext, draft: ToolDraft): Promise<Tool> {
  const [row] = await db
    .insert(tools)
    .values({ ...draft, stockedQuantity: draft.availableQuantity })
    .returning({ id: tools.id });
  await catalog.reportChange('tools', row!.id);
  return { _id: row!.id, ...draft };
}
