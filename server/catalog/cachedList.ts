import { CachedResponse } from '../http/cachedResponse';
import type { Placed } from './catalogQueries';

const LARGE_CHARACTERS = 65_536;
/** A large list that changes more often is sent uncompressed. */
const CHURNING_MS = 100;

interface CachedRow<Row> extends Placed<Row> {
  text: string;
  response?: CachedResponse;
}

/** The rows of one table, cached as responses. A row that has not changed keeps its response. */
export class CachedList<Row extends { _id: string; onSale?: false }> {
  /** Changes with the rows. */
  version = 0;
  private readonly rows = new Map<string, CachedRow<Row>>();
  private listed: CachedRow<Row>[] | undefined;
  private response: CachedResponse | undefined;

  constructor(private readonly read: (ids?: string[]) => Promise<Placed<Row>[]>) {}

  list(): CachedResponse {
    if (this.response) return this.response;
    const text = `[${this.listedRows()
      .map((cached) => cached.text)
      .join(',')}]`;
    const compressFrom = text.length > LARGE_CHARACTERS ? Date.now() + CHURNING_MS : 0;
    return (this.response = new CachedResponse(text, { compressFrom }));
  }

  find(id: string): CachedResponse | undefined {
    const cached = this.rows.get(id.toLowerCase());
    return cached && (cached.response ??= new CachedResponse(cached.text));
  }

  /** @returns the row that `find` returns as a response. A row that has not changed stays the same object. */
  row(id: string): Row | undefined {
    return this.rows.get(id)?.row;
  }

  first(max: number, isWanted: (row: Row) => boolean = () => true): Row[] {
    return this.listedRows()
      .filter(({ row }) => isWanted(row))
      .slice(0, max)
      .map(({ row }) => row);
  }

  /** @param ids undefined reads all rows */
  async refresh(ids?: string[]): Promise<void> {
    const found = await this.read(ids);
    const missing = new Set(ids ?? this.rows.keys());
    let hasChanged = false;
    for (const { place, row } of found) {
      missing.delete(row._id);
      const text = JSON.stringify(row);
      if (this.rows.get(row._id)?.text === text) continue;
      this.rows.set(row._id, { place, row, text });
      hasChanged = true;
    }
    for (const id of missing) hasChanged = this.rows.delete(id) || hasChanged;
    if (!hasChanged) return;
    this.version++;
    this.listed = this.response = undefined;
  }

  /** A tool that is not for sale is not listed. `find` still returns it, because orders link to it. */
  private listedRows(): CachedRow<Row>[] {
    this.listed ??= [...this.rows.values()].filter(({ row }) => row.onSale !== false).sort((a, b) => a.place - b.place);
    return this.listed;
  }
}
