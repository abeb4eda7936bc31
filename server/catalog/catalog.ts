import type { Review, Tool } from '../../src/contract/entities';
import type { Db } from '../db/database';
import { CachedTable, type CachedList } from './cachedList';
import { createReviewSource, createToolSource, type CatalogTable } from './catalogQueries';
import { openChangeBroadcast } from './changeNotifications';
import { RefreshQueue } from './refreshQueue';

/** The tools and reviews, cached as responses. */
export interface Catalog {
  tools: CachedList<Tool>;
  reviews: CachedList<Review>;
  /**
   * Refreshes the cache, and reports the change to the other servers. Must be called after each committed write to
   * tools (including their stock) or reviews. The response must wait for it, so that the customer's next request shows
   * the write.
   * @param id the row that changed, or undefined if any row may have changed
   */
  reportChange(table: CatalogTable, id?: string): Promise<void>;
  onChange(listener: (table: CatalogTable) => void): void;
  close(): Promise<void>;
}

export async function openCatalog(db: Db, onError: (error: Error) => void): Promise<Catalog> {
  const listeners = new Set<(table: CatalogTable) => void>();
  const tables = { tools: new CachedTable(createToolSource(db)), reviews: new CachedTable(createReviewSource(db)) };
  const createQueue = (table: CatalogTable) =>
    new RefreshQueue(async (ids) => {
      if (!(await tables[table].refresh(ids))) return;
      for (const listener of listeners) listener(table);
    }, onError);
  const queues = { tools: createQueue('tools'), reviews: createQueue('reviews') };
  const broadcast = await openChangeBroadcast(db, (table, id) => void queues[table].requestRefresh(id), onError);
  await Promise.all([tables.tools.refresh(), tables.reviews.refresh()]);

  return {
    ...tables,
    reportChange(table, id) {
      broadcast.send(table, id);
      return queues[table].requestRefresh(id);
    },
    onChange: (listener) => void listeners.add(listener),
    async close() {
      Object.values(queues).forEach((queue) => queue.close());
      await broadcast.close();
    },
  };
}
