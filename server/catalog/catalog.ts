import type { Review, Tool } from '../../src/contract/entities';
import { Freshness } from './refreshQueue';
import { openNews } from './changeNotifications';
import type { Part } from './part';
import { Shelf } from './cachedList';
import { reviewSource, toolSource } from './catalogQueries';
import type { Db } from '../db/database';

/** Tools and reviews as bytes in memory. */
export interface Catalogue {
  tools: Shelf<Tool>;
  reviews: Shelf<Review>;
  /** After the commit of any write to tools (stock included) or reviews, and before its answer: of one row, or of any. */
  changed(part: Part, id?: string): Promise<void>;
  onChange(listener: (part: Part) => void): void;
  close(): Promise<void>;
}

export async function openCatalogue(db: Db, onTrouble: (error: Error) => void): Promise<Catalogue> {
  const listeners = new Set<(part: Part) => void>();
  const shelves = { tools: new Shelf(toolSource(db)), reviews: new Shelf(reviewSource(db)) };
  const freshnessOf = (part: Part) =>
    new Freshness(async (ids) => {
      if (!(await shelves[part].refresh(ids))) return;
      for (const listener of listeners) listener(part);
    }, onTrouble);
  const freshness = { tools: freshnessOf('tools'), reviews: freshnessOf('reviews') };
  const news = await openNews(db, (part, id) => void freshness[part].changed(id), onTrouble);
  await Promise.all([shelves.tools.refresh(), shelves.reviews.refresh()]);

  return {
    ...shelves,
    changed(part, id) {
      news.tell(part, id);
      return freshness[part].changed(id);
    },
    onChange: (listener) => void listeners.add(listener),
    async close() {
      Object.values(freshness).forEach((one) => one.close());
      await news.close();
    },
  };
}
