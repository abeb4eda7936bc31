import { cacheResponse, type CachedResponse } from '../http/cachedResponse';

/** The rows of one table, cached as responses. */
export interface CachedList<Row> {
  list(): CachedResponse;
  find(id: string): CachedResponse | undefined;
  first(max?: number): Row[];
}

/** Reads the rows of one table in display order. */
export interface RowSource<Row> {
  /** @param ids undefined reads all rows */
  read(ids?: string[]): Promise<(Row & { position: number })[]>;
  newestFirst: boolean;
}

interface CachedRow<Row> {
  position: number;
  row: Row;
  text: string;
  response: CachedResponse;
}

const LARGE_BODY_CHARACTERS = 65_536;
const CHURNING_MS = 100;

/** A tool that is not for sale is not listed. `find` still returns it, because orders link to it. */
const isListed = (row: { onSale?: false }) => row.onSale !== false;

/** A row that has not changed keeps its response, including the bodies that are already compressed. */
export class CachedTable<Row extends { _id: string; onSale?: false }> implements CachedList<Row> {
  private rows = new Map<string, CachedRow<Row>>();
  private listResponse: CachedResponse | undefined;
  private changedAt = 0;

  constructor(private readonly source: RowSource<Row>) {}

  /**
   * @param ids undefined reads all rows
   * @returns whether anything changed
   */
  async refresh(ids?: string[]): Promise<boolean> {
    const rows = await this.source.read(ids);
    const previous = this.rows;
    const missing = new Set(ids ?? previous.keys());
    if (!ids) this.rows = new Map();
    let [hasChanged, hasAdded] = [false, false];
    for (const { position, ...rest } of rows) {
      const row = rest as unknown as Row;
      missing.delete(row._id);
      const text = JSON.stringify(row);
      const cached = previous.get(row._id);
      const isUnchanged = cached?.text === text;
      this.rows.set(row._id, isUnchanged ? cached : { position, row, text, response: cacheResponse(text) });
      hasChanged ||= !isUnchanged;
      hasAdded ||= !cached;
    }
    for (const id of missing) if (previous.delete(id)) hasChanged = true;
    if (ids && hasAdded) this.sort();
    if (hasChanged) this.invalidate();
    return hasChanged;
  }

  list(): CachedResponse {
    return (this.listResponse ??= this.composeList());
  }

  find(id: string): CachedResponse | undefined {
    return this.rows.get(id)?.response;
  }

  first(max = Infinity): Row[] {
    const rows: Row[] = [];
    for (const { row } of this.rows.values()) if (isListed(row) && rows.push(row) >= max) break;
    return rows;
  }

  private invalidate(): void {
    this.listResponse = undefined;
    this.changedAt = Date.now();
  }

  private sort(): void {
    const direction = this.source.newestFirst ? -1 : 1;
    this.rows = new Map([...this.rows].sort(([, a], [, b]) => direction * (a.position - b.position)));
  }

  private composeList(): CachedResponse {
    const rows = [...this.rows.values()].filter(({ row }) => isListed(row));
    const text = `[${rows.map((row) => row.text).join(',')}]`;
    const isChurning = () => text.length > LARGE_BODY_CHARACTERS && Date.now() - this.changedAt < CHURNING_MS;
    return cacheResponse(text, { isChurning, version: rows.map(({ response }) => response.etag).join(' ') });
  }
}
