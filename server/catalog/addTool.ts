import type { Tool, ToolDraft } from '../../src/contract/entities';
import type { CallerAccount } from '../auth/access';
import type { Db } from '../db/database';
import type { Catalog } from './catalog';
import { requireStoredPicture } from './pictures';
import { insertTools } from './writeTools';

interface AddContext {
  db: Db;
  catalog: Pick<Catalog, 'reportChange'>;
}

export async function addTool({ db, catalog }: AddContext, actor: CallerAccount, draft: ToolDraft): Promise<Tool> {
  const [id] = await db.transaction(async (tx) => {
    await requireStoredPicture(tx, draft.img);
    return insertTools(tx, actor, [draft]);
  });
  await catalog.reportChange('tools', id);
  return { _id: id!, ...draft };
}
